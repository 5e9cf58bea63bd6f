# Tasks for users (demo) and developers. Everything runs in .venv, which is made when first needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
export PATH := $(CURDIR)/$(BIN):$(PATH)
NATIVE := pyproject.toml CMakeLists.txt $(wildcard src/chunkfast/*.pyx src/chunkfast/_kernels/*)
# The packages of some extras, without another build of the core.
install_extras = $(BIN)/python tools/requirements_of.py $(1) | xargs -d '\n' $(PIP) install --quiet

.PHONY: help demo test test-adapters test-engines test-models lint verify golden sanitize sanitize-quick fuzz bench bench-reindex bench-scale quality quality-models build wheel clean

help:
	@echo "make demo     chunk the samples with all three generations and show what each one breaks"
	@echo "make test     run the tests"
	@echo "make test-adapters  the tests of adapters, against the libraries themselves"
	@echo "make test-engines   the tests of Spark and Ray, on this machine; Spark needs Java 17"
	@echo "make test-models    the tests of retrieval by real embedding models; installs torch, 200 MB"
	@echo "make lint     ruff, mypy --strict, cython-lint, stubtest"
	@echo "make verify   check every promise on real documents, print the number of broken ones"
	@echo "make golden   write the golden files anew; look at the diff"
	@echo "make sanitize the tests of the core under AddressSanitizer and UndefinedBehaviorSanitizer"
	@echo "make sanitize-quick  those of them that take two minutes in all"
	@echo "make fuzz SECONDS=600   look for documents that break promises, guided by coverage"
	@echo "make bench    kernels, generations and peers, in MB/s"
	@echo "make quality  what chunks answer, ours and peers, on the questions of ../shared/data"
	@echo "make quality-models  the same of the English ones by a model of sentence-transformers; installs torch"
	@echo "make bench-reindex   what small edits make you embed again, beside other chunkers"
	@echo "make bench-scale     documents a second from Arrow to Arrow; RUN=500: and the memory of cutting 500 MB of Parquet"
	@echo "make build    sdist and wheel into dist/"
	@echo "make wheel    the same, checked and tested outside the tree"
	@echo "make clean    remove everything that these have made"

demo: $(VENV)/.package
	$(BIN)/python -m demo

test: $(VENV)/.tools
	$(BIN)/python -m pytest -n auto -m "not sweep"

lint: $(VENV)/.tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check src tests bench demo tools fuzz
	$(BIN)/mypy
	$(BIN)/cython-lint src
	MYPYPATH=src $(BIN)/stubtest chunkfast._core --allowlist tools/stubtest_allowlist.txt --ignore-unused-allowlist

verify: $(VENV)/.tools
	$(BIN)/python -m pytest -n auto -m sweep
	$(BIN)/python -m tests.verify --jobs $$(nproc)

golden: $(VENV)/.tools
	$(BIN)/python -m tests.golden.test_golden

test-adapters: $(VENV)/.tools
	$(call install_extras,langchain llama-index haystack chonkie)
	$(BIN)/python -m pytest tests/adapters "tests/readme/test_readme.py::test_code[docs/adapters.md]" -rs

test-engines: $(VENV)/.tools
	$(call install_extras,spark ray)
	$(BIN)/python -m pytest tests/engines "tests/readme/test_readme.py::test_code[docs/scale.md]" -rs

test-models: $(VENV)/.models
	$(BIN)/python -m pytest tests/models -rs

WHEEL_TESTS ?= tests/unit tests/cases tests/golden

# Kernels, cases and properties on a core that aborts at the first report. PYTHONMALLOC: each str is a block of its own,
# and reading past it is seen. Leaks are looked for before CPython's end, which leaves some of its own.
SANITIZED := build/sanitize/venv
SANITIZE_TESTS ?= $(addprefix tests/unit/test_,$(addsuffix .py,arguments hostile_tokenizers fuzz tables headings lists blocks packing sentences \
  marks contents page_layout oracles wordpiece byte_bpe unigram char_bpe)) tests/property \
  tests/cases/test_sentences.py tests/cases/test_structure.py
# Large texts say nothing new here, and take minutes; `sanitize-quick`, for every commit, leaves out what takes seconds too.
TOO_LARGE := hundred_thousand or test_real or real_pieces or every_character
SLOW := long_runs or every_field or any_value or time_is_linear or large_inputs or odd_settings or test_documents or threads
RUNTIMES = $(shell gcc -print-file-name=libasan.so) $(shell gcc -print-file-name=libstdc++.so)
UNDER_SANITIZERS = LD_PRELOAD="$(RUNTIMES)" PYTHONMALLOC=malloc RUST_BACKTRACE=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
  ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1

sanitize-quick: TOO_LARGE += or $(SLOW)
sanitize sanitize-quick: $(SANITIZED)/.package
	$(UNDER_SANITIZERS) HYPOTHESIS_PROFILE=sanitize $(SANITIZED)/bin/python -m pytest -n auto --capture=sys -m "not sweep" -k "not ($(TOO_LARGE))" $(SANITIZE_TESTS)
	$(subst detect_leaks=0,detect_leaks=1,$(UNDER_SANITIZERS)) LSAN_OPTIONS=suppressions=tests/leaks.supp:print_suppressions=0 $(SANITIZED)/bin/python -W ignore -m tests.leaks

# Documents that reach new code of the core (fuzz/), then the property tests with many more examples; half of the time each.
SECONDS ?= 600
FUZZING := build/fuzz/venv

fuzz: $(FUZZING)/.package $(VENV)/.tools
	mkdir -p build/fuzz/corpus
	$(UNDER_SANITIZERS) $(FUZZING)/bin/python -m fuzz build/fuzz/corpus -max_total_time=$$(( $(SECONDS) / 2 )) -artifact_prefix=fuzz/found/ -print_final_stats=1
	HYPOTHESIS_PROFILE=long timeout $$(( $(SECONDS) / 2 + 1 )) $(BIN)/python -m pytest -n auto --timeout 0 tests/property || [ $$? -eq 124 ]

# A core of its own with checks: build/NAME/venv.
build/%/venv/.package: $(NATIVE) fuzz/coverage.c | $(VENV)/bin/python
	$(BIN)/python -m venv build/$*/venv
	build/$*/venv/bin/python -m pip --disable-pip-version-check install --quiet --upgrade "pip>=25.1"
	build/$*/venv/bin/python -m pip --disable-pip-version-check install --quiet --group test $(if $(filter fuzz,$*),--group fuzz) --editable ".[all]" \
	  -C build-dir=build/$*/core -C cmake.define.CHUNKFAST_SANITIZE=ON -C cmake.define.CHUNKFAST_CHECKED=ON $(if $(filter fuzz,$*),-C cmake.define.CHUNKFAST_FUZZ=ON)
	@touch $@

bench: $(VENV)/.peers
	$(BIN)/python -m pytest bench --benchmark-only

quality: $(VENV)/.peers
	$(BIN)/python -W ignore -m bench.quality
	$(BIN)/python -W ignore -m bench.presets
	$(BIN)/python -W ignore -m bench.overlap
	$(BIN)/python -W ignore -m bench.embedding
	$(BIN)/python -W ignore -m bench.cost

quality-models: $(VENV)/.peers $(VENV)/.models
	$(BIN)/python -W ignore -m bench.embedding english

bench-reindex: $(VENV)/.peers
	$(BIN)/python -W ignore -m bench.reindex

bench-scale: $(VENV)/.peers
	$(BIN)/python -m bench.scale $(if $(RUN),--run $(RUN))

build: $(VENV)/.tools
	$(BIN)/python -m build --outdir dist

# The wheel is built out of the sdist, and tested where there is no source beside it.
wheel: $(VENV)/.tools
	rm -rf dist
	$(BIN)/python -m build --outdir dist
	$(PIP) install --quiet twine auditwheel
	$(BIN)/twine check --strict dist/*
	[ "$$(uname)" != Linux ] || $(BIN)/auditwheel show dist/*.whl
	work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && cp -r tests samples demo fuzz pyproject.toml README.md "$$work" && \
	$(BIN)/python -m venv "$$work/venv" && "$$work/venv/bin/python" -m pip --disable-pip-version-check install --quiet --upgrade "pip>=25.1" && \
	"$$work/venv/bin/python" -m pip --disable-pip-version-check install --quiet --group test "$$(ls dist/*.whl)[all]" && \
	cd "$$work" && venv/bin/python -m pytest -n auto -m "not sweep" $(WHEEL_TESTS)

clean:
	rm -rf $(VENV) build dist demo-out .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	find src tests bench demo tools -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "chunkfast needs Python 3.10 or newer; set PYTHON=... (this one is %d.%d)" % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --upgrade "pip>=25.1"

$(VENV)/.package: $(NATIVE) | $(VENV)/bin/python
	$(PIP) install --quiet --editable ".[all]"
	@touch $@

$(VENV)/.tools: $(VENV)/.package
	$(PIP) install --quiet --group test --group lint build
	@touch $@

$(VENV)/.peers: $(VENV)/.tools
	$(call install_extras,bench)
	@touch $@

# The build of torch for CPUs alone, 2.13.0+cpu, goes before that of the same version with 5 GB of CUDA.
$(VENV)/.models: $(VENV)/.tools
	$(PIP) install --quiet --no-deps --retries 1 torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu
	$(PIP) install --quiet --group models
	@touch $@
