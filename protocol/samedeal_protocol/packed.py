"""The file form of a log, compressed by zstd: how stores and archives keep it.

An ordinary `.zst` file, without a dictionary: one that is trained on logs saves a
third of about 1 KB a race, and every log would need it for ever.
"""

import zstandard
from zstandard import ZstdCompressor, ZstdDecompressor


MAX_BYTES = 64 * 1024 * 1024
"""The largest file that is packed or unpacked."""


class PackError(ValueError):
    """Bytes cannot be packed or unpacked; the message says why."""


def pack(file: bytes) -> bytes:
    """Compress a file.

    Raises:
        PackError: it is too large.
    """
    if len(file) > MAX_BYTES:
        raise PackError(f"A log has {MAX_BYTES} bytes at most, not {len(file)}.")
    return ZstdCompressor().compress(file)


def unpack(data: bytes) -> bytes:
    """The file that was packed, by `pack` or by any zstd.

    Raises:
        PackError: the data are damaged, cut off, or come to more than `MAX_BYTES`.
    """
    try:
        if zstandard.frame_content_size(data) > MAX_BYTES:
            raise PackError(f"This comes to more than {MAX_BYTES} bytes.")
        # Where the data do not say how much they come to, the limit is asked for.
        return ZstdDecompressor().decompress(
            data, max_output_size=MAX_BYTES, allow_extra_data=False
        )
    except zstandard.ZstdError as error:
        raise PackError(f"This cannot be decompressed ({error}).") from None
