/**
 * Tests offering photos, the logo, and the cover in a host application: uploads through the client, public files,
 * export, and removal.
 */
import { createClient } from "@trailbook/client"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import sharp from "sharp"
import { createTrailbook } from "trailbook"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const directory = mkdtempSync(join(tmpdir(), "trailbook-photos-"))
const org = { name: "Salida River Co.", timezone: "America/Denver" }

const openTrailbook = async (files?: string) => {
  const mailer = { send: async () => {} }
  const trailbook = await createTrailbook({
    database: ":memory:",
    org,
    files,
    mailer,
    publicUrl: "https://book.example.com",
    http: { surfaces: ["rest", "pages"] },
    logLevel: "silent"
  })
  const connect = async (scopes: ReadonlyArray<"read" | "write" | "admin">) =>
    createClient({
      baseUrl: "https://book.example.com/v1",
      apiKey: (await trailbook.keys.create({ name: "test", scopes: [...scopes] })).api_key,
      retries: 0,
      fetch: (url, init) => trailbook.handler(new Request(url, init))
    })
  return {
    trailbook,
    client: await connect(["read", "write"]),
    reader: await connect(["read"]),
    owner: await connect(["read", "admin"])
  }
}

const codeOf = (call: Promise<unknown>) =>
  call.then(() => "none", (error: unknown) => error instanceof Error && "code" in error ? error.code : error)

describe("a photo", () => {
  let world: Awaited<ReturnType<typeof openTrailbook>>
  let id = ""
  let jpeg = new Uint8Array(0)
  beforeAll(async () => {
    world = await openTrailbook(directory)
    id = (await world.client.offerings.create({ name: "Half-day raft trip", kind: "class" })).id
    jpeg = new Uint8Array(
      await sharp({ create: { width: 2000, height: 1000, channels: 3, background: "#2f7fb5" } }).jpeg().toBuffer()
    )
  })
  afterAll(async () => {
    await world.trailbook.close()
    rmSync(directory, { recursive: true })
  })

  const add = (file: Uint8Array<ArrayBuffer>, alt = "The river", client = world.client) =>
    client.offerings.add_photo({ id, file, alt })
  const get = (path: string) => world.trailbook.handler(new Request(`https://book.example.com${path}`))

  it("is served publicly and cached permanently", async () => {
    const photo = await add(jpeg)
    assert.deepInclude(photo, { alt: "The river", width: 1600, height: 800 })
    assert.deepStrictEqual((await world.client.offerings.get({ id })).photos, [photo])
    for (const [path, width] of [[photo.url_800, 800], [photo.url_1600, 1600]] as const) {
      const response = await get(path)
      assert.strictEqual(response.headers.get("content-type"), "image/webp")
      assert.strictEqual(response.headers.get("cache-control"), "public, max-age=31536000, immutable")
      assert.strictEqual((await sharp(await response.arrayBuffer()).metadata()).width, width)
    }
    assert.strictEqual((await get(photo.url_800.replace("800", "900"))).status, 404)
    assert.strictEqual((await get(photo.url_800.replace(photo.id, id))).status, 404)
  })

  it("can be reordered, described, and removed", async () => {
    await add(jpeg, "The put-in")
    const [first, second] = (await world.client.offerings.get({ id })).photos
    assert.isDefined(first)
    assert.isDefined(second)
    if (first === undefined || second === undefined) return
    const set = (...photos: ReadonlyArray<{ readonly id: string; readonly alt: string }>) =>
      world.client.offerings.set_photos({ id, photos: photos.map(({ alt, id }) => ({ id, alt })) })
    const { data } = await set({ id: second.id, alt: "The put-in at Hecla" }, first)
    assert.deepStrictEqual(data, [{ ...second, alt: "The put-in at Hecla" }, first])
    assert.deepStrictEqual((await set(first)).data, [first])
    assert.strictEqual(await codeOf(set(second)), "invalid_request")
    assert.strictEqual(await codeOf(set(first, first)), "invalid_request")
    const { offerings } = await world.owner.org.export()
    assert.deepStrictEqual(offerings.map(({ photos }) => photos), [[first]])
  })

  it("is rejected if its file or description is invalid", async () => {
    const heic = new Uint8Array(Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"))
    assert.strictEqual(await codeOf(add(heic)), "unsupported_type")
    assert.strictEqual(await codeOf(add(new TextEncoder().encode("%PDF-1.7"))), "unsupported_type")
    assert.strictEqual(await codeOf(add(jpeg.slice(0, 400))), "invalid_request")
    assert.strictEqual(await codeOf(add(jpeg, " ")), "invalid_request")
    assert.strictEqual(await codeOf(add(jpeg, "a".repeat(201))), "invalid_request")
    assert.strictEqual(await codeOf(add(new Uint8Array(10 * 1024 * 1024 + 1))), "too_large")
    assert.strictEqual(await codeOf(add(jpeg, "The river", world.reader)), "forbidden")
    assert.strictEqual(await codeOf(world.client.offerings.add_photo({ id: "x", file: jpeg, alt: "A" })), "not_found")
    const other = crypto.randomUUID()
    assert.strictEqual(await codeOf(world.client.offerings.add_photo({ id: other, file: jpeg, alt: "A" })), "not_found")
    assert.lengthOf((await world.client.offerings.get({ id })).photos, 1)
  })

  it("is refused if its offering already has eight photos", async () => {
    const small = new Uint8Array(
      await sharp({ create: { width: 8, height: 8, channels: 3, background: "#fff" } }).png().toBuffer()
    )
    for (let at = 1; at < 8; at++) await add(small)
    assert.strictEqual(await codeOf(add(small)), "invalid_request")
    assert.lengthOf((await world.client.offerings.get({ id })).photos, 8)
  })

  it("is removed with its offering, and the worker deletes its files", async () => {
    const folder = () => readdirSync(directory).flatMap((org) => readdirSync(join(directory, org)))
    // Nine photos have two files each: the offering's eight, plus one that an earlier test left out of `set_photos`.
    assert.lengthOf(folder(), 18)
    await world.client.offerings.delete({ id })
    await world.trailbook.worker.runOnce()
    assert.isTrue(existsSync(directory))
    assert.deepStrictEqual(folder(), [])
  })

  it("is refused if no file storage is configured", async () => {
    const { client, trailbook } = await openTrailbook()
    const { id } = await client.offerings.create({ name: "Float", kind: "class" })
    assert.notStrictEqual(await codeOf(client.offerings.add_photo({ id, file: jpeg, alt: "A" })), "none")
    await trailbook.close()
  })
})

describe("a logo or cover image", () => {
  const folder = mkdtempSync(join(tmpdir(), "trailbook-images-"))
  let world: Awaited<ReturnType<typeof openTrailbook>>
  let image = new Uint8Array(0)
  beforeAll(async () => {
    world = await openTrailbook(folder)
    image = new Uint8Array(
      await sharp({ create: { width: 2000, height: 1000, channels: 3, background: "#2f7fb5" } })
        .withExif({ IFD0: { Copyright: "Ada" } }).jpeg().toBuffer()
    )
  })
  afterAll(async () => {
    await world.trailbook.close()
    rmSync(folder, { recursive: true })
  })

  const get = (path: string) => world.trailbook.handler(new Request(`https://book.example.com${path}`))
  const listFiles = () => readdirSync(folder).flatMap((org) => readdirSync(join(folder, org)))

  it("can be shown on the booking page, replaced, and removed", async () => {
    const { add_image: add, get: getOrg, update } = world.owner.org
    for (const [kind, width] of [["logo", 800], ["cover", 1600]] as const) {
      const field = `${kind}_url` as const
      const first = (await add({ kind, file: image }))[field] ?? ""
      assert.match(first, new RegExp(`^/photos/[0-9a-f-]{36}/[0-9a-f-]{36}/${kind}\\.webp$`))
      assert.strictEqual((await getOrg())[field], first)
      const response = await get(first)
      assert.strictEqual(response.headers.get("content-type"), "image/webp")
      assert.strictEqual(response.headers.get("cache-control"), "public, max-age=31536000, immutable")
      const metadata = await sharp(await response.arrayBuffer()).metadata()
      assert.deepInclude(metadata, { format: "webp", width })
      assert.isUndefined(metadata.exif)
      const { slug } = await getOrg()
      assert.include(await (await get(`/book/${slug}`)).text(), `src="${first}"`)
      assert.strictEqual((await world.owner.org.export()).org[field], first)

      const second = (await add({ kind, file: image }))[field] ?? ""
      assert.notStrictEqual(second, first)
      await world.trailbook.worker.runOnce()
      assert.strictEqual((await get(first)).status, 404)
      assert.strictEqual((await get(second)).status, 200)

      assert.isNull((await update({ [field]: null }))[field])
      await world.trailbook.worker.runOnce()
      assert.strictEqual((await get(second)).status, 404)
    }
    assert.deepStrictEqual(listFiles(), [])
  })

  it("is rejected if its file or kind is invalid", async () => {
    const { add_image: add } = world.owner.org
    const codeFor = (file: Uint8Array<ArrayBuffer>) => codeOf(add({ kind: "logo", file }))
    assert.strictEqual(await codeFor(new TextEncoder().encode("%PDF-1.7")), "unsupported_type")
    assert.strictEqual(await codeFor(image.slice(0, 400)), "invalid_request")
    assert.strictEqual(await codeFor(new Uint8Array(10 * 1024 * 1024 + 1)), "too_large")
    assert.strictEqual(await codeOf(world.client.org.add_image({ kind: "logo", file: image })), "forbidden")
    const body = new FormData()
    body.append("kind", "banner")
    body.append("file", new Blob([image]))
    const { api_key } = await world.trailbook.keys.create({ name: "website", scopes: ["admin"] })
    const headers = { authorization: `Bearer ${api_key}` }
    const response = await world.trailbook.handler(
      new Request("https://book.example.com/v1/org/images", { method: "POST", headers, body })
    )
    assert.strictEqual(response.status, 400)
    assert.include(await response.text(), "kind: must be one of logo, cover")
    assert.isNull((await world.owner.org.get()).logo_url)
  })
})
