import { readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, request, serving } from "./program.ts"

const demo = ["demo", "--port", "0"]
const keyIn = (text: string): string => /tb_test_\w{50}/.exec(text)?.[0] ?? ""

describe("demo", () => {
  it("prints address, key, reference and a command to try, and that command works", async () => {
    const cwd = folder()
    const { baseUrl, said } = await serving(demo, { cwd })
    const { stdout } = said
    expect(stdout.split("\n", 1)).toEqual([`Trailbook is ready at ${baseUrl}`])
    expect((await fetch(/http:\S+\/reference/.exec(stdout)?.[0] ?? "")).status).toBe(200)
    const [, key, url] = /curl -H "Authorization: Bearer (\w+)" (\S+)/.exec(stdout) ?? []
    const { body, status } = await request(url ?? "", key)
    expect(status).toBe(200)
    expect(body.data?.[0]).toMatchObject({ capacity: 12, remaining: 1 })
  })

  it("shows the story through the API, and its mails in the outbox", async () => {
    const cwd = folder()
    const { baseUrl, said } = await serving(demo, { cwd })
    const key = keyIn(said.stdout)
    const { body: sessions } = await request(`${baseUrl}/sessions`, key)
    expect(sessions.data?.filter(({ booked }) => booked === 11)).toHaveLength(1)
    const { body: bookings } = await request(`${baseUrl}/bookings`, key)
    expect(new Set(bookings.data?.map(({ status }) => status))).toEqual(new Set(["confirmed", "held", "cancelled"]))
    expect(bookings.data?.filter(({ previous }) => previous !== undefined)).toHaveLength(1)

    const outbox = join(cwd, ".trailbook", "outbox")
    const mails = readdirSync(outbox).filter((name) => name.endsWith(".eml"))
    const texts = mails.map((name) => readFileSync(join(outbox, name), "utf8"))
    expect(texts.filter((text) => text.includes("Subject: Booking confirmed")).length).toBeGreaterThan(5)
    expect(texts[0]).toMatch(/^To: .*@example\.com>/m)
  })

  it("a second start keeps the data and the key", async () => {
    const cwd = folder()
    const first = await serving(demo, { cwd })
    const key = keyIn(first.said.stdout)
    const { body } = await request(`${first.baseUrl}/offerings`, key, {
      method: "POST",
      body: JSON.stringify({ name: "Mine", kind: "rental" })
    })
    first.child.kill("SIGTERM")
    expect(await first.ended).toBe(0)

    const second = await serving([...demo, "--seed", "8"], { cwd })
    expect(keyIn(second.said.stdout)).toBe(key)
    expect(second.said.stderr).toContain("was made with seed 7 and is kept")
    expect((await request(`${second.baseUrl}/offerings`, key)).body.data).toContainEqual(body)
  })

  it("the same seed makes the same outfitter, and never the same key", async () => {
    const starts = await Promise.all(
      [folder(), folder()].map((cwd) => serving([...demo, "--seed", "7", "--json"], { cwd }))
    )
    const [one, other] = starts.map(({ said }): Record<string, unknown> => JSON.parse(said.stdout))
    expect(Object.keys(one ?? {})).toEqual(["base_url", "api_key", "org_id", "offering_id", "reference_url"])
    expect(other?.org_id).toBe(one?.org_id)
    expect(other?.api_key).not.toBe(one?.api_key)
  })

  it("keeps the key for its owner's eyes", async () => {
    const cwd = folder()
    await serving(demo, { cwd })
    expect(statSync(join(cwd, ".trailbook")).mode & 0o777).toBe(0o700)
    expect(statSync(join(cwd, ".trailbook", "demo.json")).mode & 0o777).toBe(0o600)
  })

  it("starts over when making it was broken off", async () => {
    const cwd = folder()
    const first = await serving(demo, { cwd })
    first.child.kill("SIGKILL")
    await first.ended
    // Written last: without it the database is as it is in the middle of its making.
    rmSync(join(cwd, ".trailbook", "demo.json"))
    const { baseUrl, said } = await serving(demo, { cwd })
    const { body } = await request(`${baseUrl}/sessions`, keyIn(said.stdout))
    expect(body.data?.filter(({ booked }) => booked === 11)).toHaveLength(1)
  })
})
