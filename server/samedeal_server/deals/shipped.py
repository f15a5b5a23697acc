"""Deals proved winnable that come with the program.

They are public, so they are never used where people compete: only for races of one
person against built-in bots, so that the very first one starts at once.
"""

from collections.abc import Mapping
from types import MappingProxyType


SHIPPED: Mapping[tuple[str, str], tuple[str, ...]] = MappingProxyType(
    {
        ("juvenile", "one-deck"): (
            "5bf4cf33cb296f568467a5a915de77f6",
            "bfe5ade6bcb1e147613c51360f345b42",
            "e6f04befb6bb6521c1f523a35bd9036b",
            "cea017c9314b7c7b7a48e457c2932a49",
            "64e70c4ebb0738f3eacf0ae567414bb3",
            "7d187062bd7fc10d4cdd60654878f0c5",
            "712b97e8fa01701869a48367821b3f52",
            "7eec695537b8282116ad96a02d2478ca",
        ),
        ("juvenile", "two-decks"): (
            "b67e3ca20a4c3fa542da4465a294175d",
            "61f8b6a613c9cfff292af50efb78d45f",
            "47723dc99e61e7e4da212c3494d95b5a",
            "fe22c3c1c8e5e5c5f3b711bf122682e8",
            "480cf1af2f950a6c1033046f0304fa38",
            "2c97721c95bc33505cc2b4be0d59bca2",
            "87dc970963b4e624fdb9668fa79d34bc",
            "5c02241d79ef93b78024bc42bb1f448d",
        ),
        ("juvenile", "seventeen-piles"): (
            "ccb1e155c18f800a7ecbf3186ace6602",
            "77f32686eab1536459e39ef727c1265b",
            "f5a6c7315fde4a8c9794f72427ab1968",
            "80641289791fcbba47bceb82af5e5aff",
            "999a3513e94b73536d8c2981086d1739",
            "443b60ad09c2f0de5344ee21de8d6d47",
            "8d2562168ac0429a7c7ce8d0c6578612",
            "f044dcf539a0dd92bf36e8d617875825",
        ),
        ("simple-pairs", "standard"): (
            "05e7ac8274dde19ef98bcf31d476c85d",
            "6461f7e03744e53ebc118b5dcaf7f6f1",
            "b7a138d5050903ab0e0bfe123e79ee45",
            "b49369ea0c693c7e82043c066062c1a4",
            "885b11aff155ec3d56a9da0ae2bf9116",
            "10995c986020f4394fe2d0177987bcbb",
            "818dcfbf51be64a2a027efb502f7c556",
            "21608a5490dc091b890157b27fb4cad2",
        ),
        ("doublets", "reserve"): (
            "e002e431fe20084c93f5f26b0add60da",
            "446eae978dddcd73f0242fb7627ff604",
            "aa501619f00a54cf5a8b4c4b25d55541",
            "28686049c19692be4f674e0a3649424a",
            "488201ef94d038192efa6d2e449eeaa2",
            "1ce2cfa4d9ea026128b10f0f1657cb38",
            "7aa2b608eff065f8967fc7673dcddb2d",
            "6b3a3126896c6b28d80308ae9149cef9",
        ),
        ("doublets", "sealed"): (
            "f2b1f6a028e96aa2fa81dec6b98ecdb8",
            "584aa1137106e32ba71ea604f8b80630",
            "a81c78a73a31064ac3d5ae863ebf5143",
            "4f703a5046a3853bf304b62aa808b2ae",
            "3a1dbb4886b5fe2bdf5eab33a6626648",
            "0d5c5058e66ac38027e80b14ef8bdae5",
            "6fa2fc77fd7935b1750f3c91f1e5e172",
            "9984e034afe95ea03df41421dbf15bd1",
        ),
        ("private-lane", "by-suit"): (
            "e7f67e30e8b93961df1cd431294f08fa",
            "c12f3087d1ea30fdcf2300dbe70b77c1",
            "d72f3fc8235453bccf77df06656dd123",
            "b001db3bb136c238c3f291047828eded",
            "36bf3f80b44642e1259e0ff36134a49e",
            "2c6053abeae8247745ea0509f0416274",
            "1aa7f1a3e3ab19e364e4b520b956c1b8",
            "c9edebd0dd81de24b2b33e5ee982539c",
        ),
        ("private-lane", "any-suit"): (
            "0d619278c13f01e0efd851c9f618ce30",
            "89c0e778d12fc255f63223dba98092cc",
            "85ed26a8f32096239e8eb2b291603252",
            "dd11383c5ea674396ea68f6a9db15217",
            "216c5aafb5dfa8cd8ef0315299f4ebe8",
            "4f306eab6f1dbc509bd26fe76029412b",
            "24b18a5abde9cb572dda0cb2ea9d7be9",
            "e6fbe09d781faad3d7afd1d2328398a6",
        ),
        ("straight-fifteens", "either"): (
            "7b344887e2583e63bd89d2eb5d31a4ee",
            "36d75d512243f1ec2bc89854fd95da3f",
            "c9ae56dcfd878087f6658830624fe980",
            "df91553d0911856b6127afe743866b72",
            "ccc1e14b02035e343091234a74050b95",
            "26d011d2d29c66844142983b985a69c2",
            "6c93d5561a8f7e160358b04bf2d7319a",
            "5cfb2552755ba43a2b4d9c119c76e8b4",
        ),
        ("straight-fifteens", "straight"): (
            "772c1137d292e4eba548050b06ecf2ae",
            "6e4a548899b49efa4baca35bb2499110",
            "6d9a8d0a625aafc546beddd744ff1f51",
            "191088176b648751fb239c8fe59e8ac2",
            "a2a59dab639a9ffaeee341f9ec66e437",
            "39ee242af292bbe6824040302e00011b",
            "e73d98034d563578ea5a69a0a25fcac2",
            "2a7f31d0e91570373c6362451ce78245",
        ),
        ("straight-fifteens", "four-of-a-kind"): (
            "cf0ced792a4185137a8757525ea514c1",
            "a001bb304af9eef0ea670bb0bb090142",
            "4dc1a9f095c720cbde0e64c9e23d2187",
            "3dd846f88514c660263ea0c1ba4fd65d",
            "4dd29bec29b2e41b594468340ecfd364",
            "6f4ae123a2f2123b1a9f72d09d9671f5",
            "4c706742164c709567137b8863f8eac2",
            "9a43a05b4d5ec7e05bb01b3be67c327f",
        ),
        ("straight-fifteens", "courts-apart"): (
            "586c62e81fef7da074cde70989be8bbd",
            "199727383bfefba98328af9cdbc202b3",
            "b28d7b01dfd1e3d9f716273855a54a1c",
            "9b9c4964647f31236ed2154d5ef4d028",
            "bdf7c8f767ab4de56b94cae07d0c555d",
            "9515095bba3bb820bdb4cff71808339f",
            "c7d2944bae070439f8d76901c82b5b45",
            "119b490fe1e83f478489d41801219a7f",
        ),
    }
)
"""Seeds in hex by game and variant."""
