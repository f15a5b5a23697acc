import asyncio
import sys

import samedeal


async def main(url: str = "http://127.0.0.1:8765", code: str = "") -> None:
    async with samedeal.connect(url, name="Twenty", bot=True) as client:
        if code:
            race = await client.join(code)
        else:
            race = await client.create("doublets", bots=["greedy"])
        await race.ready()
        await race.started()
        while moves := race.board.legal_moves():
            await race.move(moves[0])
        print(*await race.ended(), sep="\n")


asyncio.run(main(*sys.argv[1:]))
