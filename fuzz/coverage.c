/* Counts which parts of the core have run, for libFuzzer: gcc calls the function below in each basic block. */
#include <stdint.h>

enum { SIZE = 1 << 17 };

__attribute__((visibility("default"))) uint8_t chunkfast_counters[SIZE];

/* Hidden: that of the sanitizer's runtime, which does nothing, must not go before it. */
__attribute__((visibility("hidden"))) void __sanitizer_cov_trace_pc(void) {
  uintptr_t place = (uintptr_t)__builtin_return_address(0);
  uint8_t *counter = &chunkfast_counters[(place ^ place >> 17) & (SIZE - 1)];
  if (*counter != 255) ++*counter;
}
