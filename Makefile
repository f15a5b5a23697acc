# The whole developer interface. Everything works in a virtual environment, .venv.

.venv: pyproject.toml constraints.txt
	python3 -m venv .venv
	.venv/bin/pip install -q -c constraints.txt -e '.[dev]'
	touch .venv

.PHONY: run test check
run: .venv  ## a server on http://127.0.0.1:8765
	.venv/bin/samedeal serve

test: .venv  ## all tests
	.venv/bin/pytest

check: .venv  ## style, types, layers
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports
