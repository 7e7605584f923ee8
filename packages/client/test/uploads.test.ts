import { assert, describe, it } from "vitest"
import { follow, refusal } from "./Script.ts"

const createdFile = { status: 201, body: { id: "f", name: "map.pdf", size: 8, type: "application/pdf" } }

const fileIn = (body: unknown): File => {
  assert.instanceOf(body, FormData)
  assert.deepStrictEqual([...body.keys()], ["file"])
  const file = body.get("file")
  assert.instanceOf(file, File)
  return file
}

describe("an uploaded file", () => {
  it("is sent as form data with a file name", async () => {
    const { client, sent } = follow([createdFile])
    const file = new File(["%PDF-1.7"], "map.pdf", { type: "application/pdf" })
    assert.deepStrictEqual(await client.attachments.upload(file), createdFile.body)
    await client.attachments.upload(new Blob(["%PDF-1.7"]), { name: "Karte.pdf" })
    await client.attachments.upload(new TextEncoder().encode("%PDF-1.7"), { name: "bytes.pdf" })
    const names = sent.map(({ init }) => fileIn(init.body).name)
    assert.deepStrictEqual(names, ["map.pdf", "Karte.pdf", "bytes.pdf"])
    assert.strictEqual(await fileIn(sent[2]?.init.body).text(), "%PDF-1.7")
    assert.strictEqual(sent[0]?.url, "https://book.example.com/v1/attachments")
    // The runtime writes the boundary into the content type, so the client must not set its own.
    assert.isNull(new Headers(sent[0]?.init.headers).get("content-type"))
  })

  it("is retried unless the server refuses it", async () => {
    const { client, sent } = follow(["lost", refusal(503, "unavailable"), createdFile])
    await client.attachments.upload(new Blob(["%PDF-1.7"]))
    assert.lengthOf(sent, 3)
    const other = follow([refusal(415, "unsupported_type")])
    const error: unknown = await other.client.attachments.upload(new Blob(["x"])).catch((error: unknown) => error)
    assert.propertyVal(error, "code", "unsupported_type")
    assert.lengthOf(other.sent, 1)
  })
})
