/** Runs the shop as a server: `MOLLIE_KEY=test_… PUBLIC_URL=https://… tsx serve.ts shop.sqlite` */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"
import { text } from "node:stream/consumers"
import { toNodeHandler } from "trailbook/node"
import { openShop } from "./shop.ts"

const { MOLLIE_API, MOLLIE_KEY = "", PORT = "0", PUBLIC_URL = "http://localhost" } = process.env
const { outfitter, handleNotice } = await openShop({ database: `sqlite:${process.argv[2] ?? "shop.sqlite"}` }, {
  key: MOLLIE_KEY,
  webhookUrl: `${PUBLIC_URL}/mollie`,
  returnTo: (handle) => `${PUBLIC_URL}/b/${handle}`,
  ...(MOLLIE_API === undefined ? {} : { api: MOLLIE_API })
})
const bookings = toNodeHandler(outfitter)

const server = createServer(async (request, response) => {
  if (request.url !== "/mollie") return bookings(request, response)
  const { status } = await handleNotice(
    new Request("http://localhost/mollie", { method: "POST", body: await text(request) })
  )
  response.writeHead(status).end()
})
process.once("SIGTERM", () => server.close(() => void outfitter.close()))

// The worker sends refunds and expires holds.
await outfitter.worker.start()
server.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
