# Short names for the commands of CONTRIBUTING.md. Each target works in the active environment.
.PHONY: test unit zoo lint types docs format sdist ci

test:    ## the whole suite
	python -m pytest

unit:    ## one part of the compiler at a time: no whole models, no processes
	python -m pytest -m unit

zoo:     ## models at their published sizes, about 20 minutes
	python -m pytest -m zoo

lint:    ## the style
	ruff check .
	ruff format --check .

types:   ## mypy, strict
	.ci/types

docs:    ## the site, into build/site
	.ci/docs

format:  ## rewrite the sources as the style has it
	ruff check --fix .
	ruff format .

sdist:   ## the source distribution holds what its tests need
	.ci/sdist

ci:      ## what CI runs
	.ci/run
