import inspect

import samedeal


def test_exactly_the_public_names_are_exported() -> None:
    public = {
        name
        for name, value in vars(samedeal).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert public == set(samedeal.__all__)
    assert samedeal.__all__ == sorted(samedeal.__all__)


def test_every_error_is_exported() -> None:
    errors = {kind.__name__ for kind in samedeal.SamedealError.__subclasses__()}
    assert errors <= set(samedeal.__all__)


def test_everything_of_ours_that_is_exported_says_what_it_is() -> None:
    for name in samedeal.__all__:
        value = getattr(samedeal, name)
        if not getattr(value, "__module__", "").startswith("samedeal."):
            continue
        assert value.__doc__, name
        for attribute, member in vars(value).items() if inspect.isclass(value) else ():
            if callable(member) and not attribute.startswith("_"):
                assert member.__doc__, f"{name}.{attribute}"
