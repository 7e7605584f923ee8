/** Tests message attachments in a host application: in a folder, in the host's own storage, or disabled. */
import { createClient } from "@trailbook/client"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createTrailbook, type Files } from "trailbook"
import { afterEach, assert, it } from "vitest"

const org = { name: "Salida River Co.", timezone: "America/Denver" }
const pdf = () => new File(["%PDF-1.7 map"], "map.pdf")

const folders: Array<string> = []
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "trailbook-embedded-files-"))
  folders.push(path)
  return path
}
afterEach(() => folders.splice(0).forEach((path) => rmSync(path, { recursive: true })))

const openTrailbook = async (files: Files | string | undefined) => {
  const trailbook = await createTrailbook({ database: ":memory:", org, files, logLevel: "silent" })
  const { api_key: secret } = await trailbook.keys.create({ name: "test" })
  const client = createClient({
    baseUrl: "https://book.example.com/v1",
    apiKey: secret,
    retries: 0,
    fetch: (url, init) => trailbook.handler(new Request(url, init))
  })
  const open = (id: string) =>
    trailbook.handler(
      new Request(`https://book.example.com/api/attachments/${id}`, { headers: { authorization: `Bearer ${secret}` } })
    )
  return { client, open, close: () => trailbook.close() }
}

it("an embedded Trailbook stores files in the configured folder", async () => {
  const directory = folder()
  const { client, close, open } = await openTrailbook(directory)
  const { id } = await client.attachments.upload(pdf())
  const [orgId = ""] = readdirSync(directory)
  assert.deepStrictEqual(readdirSync(join(directory, orgId)), [id])
  assert.strictEqual(await (await open(id)).text(), "%PDF-1.7 map")
  await close()
})

it("an embedded Trailbook uses the host's file storage without exposing its errors", async () => {
  const storedFiles = new Map<string, Uint8Array<ArrayBuffer>>()
  let away = false
  const files: Files = {
    put: async (key, bytes) => {
      if (away) throw new Error(`no room for ${key}`)
      storedFiles.set(key, new Uint8Array(bytes))
    },
    get: async (key) => {
      const bytes = storedFiles.get(key)
      return bytes === undefined ? null : new Blob([bytes]).stream()
    },
    remove: async (key) => storedFiles.delete(key)
  }
  const { client, close, open } = await openTrailbook(files)
  const { id } = await client.attachments.upload(pdf())
  assert.lengthOf([...storedFiles.keys()], 1)
  assert.strictEqual(await (await open(id)).text(), "%PDF-1.7 map")
  storedFiles.clear()
  assert.strictEqual((await open(id)).status, 404)
  away = true
  const error: unknown = await client.attachments.upload(pdf()).catch((error: unknown) => error)
  assert.propertyVal(error, "code", "unavailable")
  assert.notInclude(String(error), "no room")
  await close()
})

it("an embedded Trailbook serves no file URLs if no file storage is configured", async () => {
  const { client, close, open } = await openTrailbook(undefined)
  const error: unknown = await client.attachments.upload(pdf()).catch((error: unknown) => error)
  assert.propertyVal(error, "code", "not_found")
  assert.strictEqual((await open(crypto.randomUUID())).status, 404)
  await close()
})

it.each([1, "", {}, { put: () => {} }])("createTrailbook rejects the invalid option %j", async (files) => {
  const error: unknown = await createTrailbook({ database: ":memory:", org, files: files as never }).catch((error) =>
    error
  )
  assert.match(String(error), /^TypeError: files: must be a folder path/)
})
