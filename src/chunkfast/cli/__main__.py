from chunkfast.cli import main

main()
