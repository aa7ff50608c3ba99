# Everything here goes through the go command; .ci/run runs these targets on a
# fresh machine. `make` alone lists them.

GO          ?= go
GOFMT       ?= gofmt
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2
QEMU_AMD64  ?= qemu-x86_64-static
QEMU_ARM64  ?= qemu-aarch64-static

# SAMPLE: the slow targets run one random problem in so many; the tests read
# it as BRAID_SAMPLE, and run all of them without it.
SAMPLE   ?= 16
# COLLECTOR: of the slow targets, whose problems are many and small: it collects
# less often, and yet before memory runs out.
COLLECTOR ?= GOGC=400 GOMEMLIMIT=2GiB
# SLOWLY: go test of the slow targets. What go vet says, make vet says.
SLOWLY = $(COLLECTOR) $(GO) test -vet=off -timeout $(TIMEOUT)
# TIMEOUT: for one package's tests in the slow targets.
TIMEOUT  ?= 30m
# FUZZTIME: for each fuzz target.
FUZZTIME ?= 1m
# BENCH, BENCHFLAGS: which benchmarks, and how.
BENCH      ?= .
BENCHFLAGS ?= -benchmem -benchtime 0.3s
# PEERS, PYTHON, MAVEN: where the systems that benchmarks compare with are
# installed, and with what. PEERENVS are their environments, by requirements file.
PEERS    ?= bench/out/peers
PYTHON   ?= python3
MAVEN    ?= mvn
PEERENVS ?= engines paimon lakesoul

# The packages whose code differs by CPU tier, or runs code that does.
TIERED = $(addsuffix /...,$(wildcard ./internal/cputier ./simd ./validity ./columnar ./kernel))

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build every package, and the command into ./braid
	$(GO) build ./...
	$(GO) build -o braid ./cmd/braid

.PHONY: test
test: ## run all tests
	$(GO) test ./...

.PHONY: cases
cases: ## run the case files against the kernel in all ways
	BRAID_CASE_WAYS=all $(SLOWLY) -count=1 -run '^TestCases$$' -v ./fuzz

.PHONY: purego
purego: ## run all tests without assembly
	BRAID_EXPECT_TIERS=portable $(SLOWLY) -tags purego ./...

.PHONY: invariants
invariants: ## run all tests as a checked build
	$(SLOWLY) -tags invariants ./...

.PHONY: race
race: ## run a sample of the tests under the race detector
	BRAID_SAMPLE=$(SAMPLE) $(SLOWLY) -race ./...

.PHONY: arm64
arm64: ## run a sample of the tests as arm64, under qemu
	@command -v $(QEMU_ARM64) >/dev/null || { echo "$(QEMU_ARM64) is not installed (Debian: qemu-user-static)"; exit 1; }
	BRAID_SAMPLE=$(SAMPLE) BRAID_EXPECT_TIERS=portable,neon BRAID_EMULATOR=$(QEMU_ARM64) GOARCH=arm64 \
		$(SLOWLY) -exec $(QEMU_ARM64) ./...

.PHONY: tiers
tiers: tiers-portable tiers-avx2 ## run a sample of the tests on amd64 processors without and with AVX2, under qemu
	BRAID_TIER=portable $(GO) test -count=1 ./internal/cputier

.PHONY: tiers-portable tiers-avx2
tiers-portable tiers-avx2:
	@command -v $(QEMU_AMD64) >/dev/null || { echo "$(QEMU_AMD64) is not installed (Debian: qemu-user-static)"; exit 1; }
	BRAID_SAMPLE=$(SAMPLE) BRAID_EXPECT_TIERS=$(EXPECT) GOARCH=amd64 \
		$(SLOWLY) -exec "$(QEMU_AMD64) -cpu $(PROCESSOR)" $(TIERED)
tiers-portable: EXPECT = portable
tiers-portable: PROCESSOR = Nehalem
tiers-avx2: EXPECT = portable,avx2
tiers-avx2: PROCESSOR = max

.PHONY: asm
asm: ## write the assembly of simd that is generated
	$(GO) -C simd/_asm run .

.PHONY: asm-check
asm-check: ## check that the assembly of simd is what its generator writes
	@fresh=$$(mktemp -d); trap 'rm -rf "$$fresh"' EXIT; \
		$(GO) -C simd/_asm run . "$$fresh" || exit 1; \
		diff -ru -x '*.go' -x '*_arm64.*' -x _asm simd "$$fresh" || \
		{ echo "simd/*_amd64.s is not what simd/_asm writes; make asm writes it"; exit 1; }

.PHONY: lint
lint: format vet staticcheck ## check formatting, go vet for both architectures and all tags, staticcheck

.PHONY: format
format: ## check formatting
	@unformatted=$$($(GOFMT) -l .); \
		if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi

.PHONY: vet
vet: ## run go vet for both architectures and all tags
	GOARCH=amd64 $(GO) vet ./...
	GOARCH=arm64 $(GO) vet ./...
	$(GO) vet -tags purego ./...
	$(GO) vet -tags invariants ./...
	$(GO) -C simd/_asm vet ./...

.PHONY: staticcheck
staticcheck: ## run staticcheck
	$(GO) run $(STATICCHECK) ./...

.PHONY: modules
modules: ## check that all modules are tidy and their downloads unchanged
	$(GO) mod tidy -diff
	$(GO) mod verify
	$(GO) -C bench mod tidy -diff
	$(GO) -C bench mod verify
	$(GO) -C simd/_asm mod tidy -diff
	$(GO) -C simd/_asm mod verify

.PHONY: bench-build
bench-build: ## compile the benchmarks
	$(GO) -C bench build ./...
	$(GO) -C bench test -c -o /dev/null ./...

.PHONY: bench-test
bench-test: ## run the tests of the benchmark program
	$(GO) -C bench test ./...

.PHONY: bench-gate
bench-gate: ## measure this commit against the one before, in turn
	$(GO) -C bench run . gate --base HEAD~1

.PHONY: bench
bench: ## run the benchmarks of single verbs, for benchstat: BENCH=name BENCHFLAGS="-benchmem -count 10"
	$(GO) test -run '^$$' -bench '$(BENCH)' $(BENCHFLAGS) ./simd ./validity ./columnar ./kernel ./aggfuncs ./arrow18

.PHONY: bench-merge
bench-merge: ## run the benchmarks of whole merges: BENCH=name
	$(GO) -C bench test -run '^$$' -bench '$(BENCH)' -benchmem ./...

.PHONY: peers
peers: ## install the systems that bench peers asks into PEERS
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not installed"; exit 1; }
	@command -v $(CC) >/dev/null || { echo "$(CC) is not installed"; exit 1; }
	mkdir -p $(PEERS)
	$(CC) -O2 -Wall -Wextra -shared -fPIC -o $(PEERS)/drain.so bench/peers/drain.c
	@set -e; for env in $(PEERENVS); do \
		echo "environment $$env"; \
		requirements=bench/peers/requirements-$$env.txt; \
		[ "$$env" != engines ] || requirements=bench/peers/requirements.txt; \
		$(PYTHON) -m venv $(PEERS)/$$env; \
		$(PEERS)/$$env/bin/pip install --quiet --disable-pip-version-check -r $$requirements; \
		(cd bench/peers && BRAID_DRAIN=$(abspath $(PEERS))/drain.so PYTHONDONTWRITEBYTECODE=1 \
			$(abspath $(PEERS))/$$env/bin/python -m unittest --quiet test_peers); \
	done
	@if command -v $(MAVEN) >/dev/null; then \
		$(MAVEN) -q -B -f bench/peers/paimon-java/pom.xml -Dout=$(abspath $(PEERS))/paimon-java package; \
	else \
		echo "$(MAVEN) is not installed: Paimon's Java reader is left out"; \
	fi

.PHONY: fuzz
fuzz: ## run each fuzz target for FUZZTIME
	@set -e; for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "$$package $$target, $(FUZZTIME)"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package; \
		done; \
	done
