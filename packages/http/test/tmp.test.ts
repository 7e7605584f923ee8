import { it } from "vitest"
import * as Probe from "./Probe.ts"
import { open, read, request, untilClosed } from "./raw.ts"
import { start } from "./Service.ts"
it("t", async () => {
  const { gate, layer } = Probe.make()
  const service = await start({ registry: layer, rateLimit: { perSecond: 0 } })
  gate.open()
  const sockets = await Promise.all(Array.from({ length: 20 }, () => open(service.port)))
  const answers = sockets.map(untilClosed)
  for (const socket of sockets) socket.write(request("POST /v1/probe/write HTTP/1.1", { Authorization: `Bearer ${service.key}`, "Content-Type": "application/json", "Content-Length": "2" }, "{}"))
  await service.close()
  let s = ""
  for (const a of answers) s += (await a).length + " "
  console.log("R", gate.arrived, gate.passed, service.log.length, s)
})
