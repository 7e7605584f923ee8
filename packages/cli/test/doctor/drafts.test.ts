import { createServer } from "node:http"
import { describe, expect, it, onTestFinished } from "vitest"
import { checkDrafts } from "../../src/doctor/checkDrafts.ts"

const listing = async (status: number, body: unknown) => {
  const server = createServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === "object" && address !== null ? `127.0.0.1:${address.port}` : ""
}

describe("the drafts check", () => {
  it("reports no problem if drafts are not configured", async () => {
    expect(await checkDrafts({})).toEqual([])
  })

  it("verifies the model without showing the key", async () => {
    const host = await listing(200, { data: [{ id: "llama3.2" }] })
    const of = (draftsModel: string) =>
      checkDrafts({ draftsUrl: `http://${host}/v1`, draftsModel, draftsKey: "hunter2" })
    expect(await of("llama3.2")).toEqual([{ check: "drafts", result: `${host} has llama3.2`, fix: undefined }])
    const wrong = await of("lama")
    expect(wrong).toMatchObject([{
      result: `${host} has no model lama`,
      fix: expect.stringContaining("--drafts-model")
    }])
    expect(JSON.stringify(wrong)).not.toContain("hunter2")
  })

  it("reports why the service cannot be used", async () => {
    const refusing = await listing(401, {})
    const silent = await listing(404, {})
    const findingsFor = async (host: string) =>
      (await checkDrafts({ draftsUrl: `http://${host}`, draftsModel: "m" })).map(({ result }) => result)
    expect(await findingsFor(refusing)).toEqual([
      `the language model at ${refusing}: The service rejected the API key (status 401).`
    ])
    expect(await findingsFor("127.0.0.1:1")).toEqual(["the language model at 127.0.0.1:1: The service is unreachable."])
    expect(await findingsFor(silent)).toEqual([`${silent} responds but does not list models, so m was not checked`])
  })

  it("reports a setting that depends on a missing setting", async () => {
    const of = async (settings: Parameters<typeof checkDrafts>[0]) =>
      (await checkDrafts(settings)).map(({ result }) => result)
    expect(await of({ draftsUrl: "http://127.0.0.1:1" })).toEqual(["--drafts-url requires --drafts-model"])
    expect(await of({ draftsModel: "m" })).toEqual(["--drafts-model requires --drafts-url"])
    expect(await of({ draftsKey: "k" })).toEqual(["--drafts-key requires --drafts-url"])
  })
})
