import { accountsLayer, createOrg, type DatabaseUrl } from "@trailbook/runtime"
import { startServer } from "@trailbook/server"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import PostalMime from "postal-mime"
import { expect, it, onTestFinished, vi } from "vitest"
import { folder, request } from "../../cli/test/program.ts"

it("the server emails a private link instead of an oversized attachment", async () => {
  const path = folder()
  const database: DatabaseUrl = { _tag: "Sqlite", file: join(path, "a.sqlite") }
  const log: Array<string> = []
  const server = await startServer({ database, port: 0, log: { write: (line) => log.push(line), flush: () => {} } })
  onTestFinished(server.stop)
  const { org, token } = await Effect.runPromise(
    Effect.provide(createOrg({ name: "Salida", timezone: "America/Denver" }), accountsLayer(database))
  )
  const post = (at: string, body: object) =>
    request(`${server.baseUrl}${at}`, token, { method: "POST", body: JSON.stringify(body) })
  const photo = Buffer.alloc(8 * 1024 * 1024, "%PDF-1.7\n")
  const form = new FormData()
  form.set("file", new Blob([photo]), "map.pdf")
  const upload = await fetch(`${server.baseUrl}/attachments`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form
  })
  const { id }: { readonly id: string } = await upload.json()
  const { body: guest } = await post("/customers", { email: "guest@example.com", name: "Guest" })
  await post("/messages", { customer_id: guest.id, body: "The map.", attachments: [{ id, name: "map.pdf" }] })

  const outbox = join(path, "outbox")
  const [mail = ""] = await vi.waitUntil(() => {
    const mails = readdirSync(path).includes("outbox")
      ? readdirSync(outbox).filter((name) => name.endsWith(".eml"))
      : []
    return mails.length > 0 && mails
  }, { timeout: 60_000 })
  const { attachments, text = "" } = await PostalMime.parse(readFileSync(join(outbox, mail)))
  expect(attachments).toHaveLength(0)
  const link = new RegExp(`${server.origin}/files/${org.id}/${id}/\\w+`).exec(text)?.[0] ?? ""

  const download = await fetch(link)
  expect(download.status).toBe(200)
  expect(Object.fromEntries(download.headers)).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": expect.stringMatching(/^attachment; filename="map\.pdf"/),
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": expect.stringContaining("private")
  })
  expect(Buffer.from(await download.arrayBuffer()).equals(photo)).toBe(true)
  expect((await fetch(link, { method: "HEAD" })).status).toBe(200)
  for (
    const wrong of [
      link.slice(0, -1),
      `${link}x`,
      link.replace(id, org.id),
      link.replace(`files/${org.id}`, `files/${id}`)
    ]
  ) {
    expect((await fetch(wrong)).status).toBe(404)
  }
  expect((await fetch(link, { method: "POST" })).status).toBe(405)
  // The log must not contain a working link.
  expect(log.join("\n")).not.toContain(link.split("/").at(-1))

  await request(`${server.baseUrl}/customers/${String(guest.id)}`, token, { method: "DELETE" })
  expect((await fetch(link)).status).toBe(404)
})
