import { IdleConnections } from "@trailbook/webhook/IdleConnections"
import { Socket } from "node:net"
import { afterEach, assert, it } from "vitest"

const idle = new IdleConnections(600_000)
afterEach(() => idle.close())

it("IdleConnections keeps at most 256 idle connections, and closes the rest", () => {
  const sockets = Array.from({ length: 257 }, () => new Socket())
  for (const [index, socket] of sockets.entries()) idle.keep(String(index), "url", socket)
  assert.deepStrictEqual(sockets.map(({ destroyed }) => destroyed), sockets.map((_socket, index) => index === 256))
})

it("IdleConnections does not count closed connections toward the limit", () => {
  for (let index = 0; index < 256; index += 1) idle.keep(String(index), "url", new Socket().destroy())
  const socket = new Socket()
  idle.keep("living", "url", socket)
  assert.strictEqual(idle.take("living", "url"), socket)
  socket.destroy()
})
