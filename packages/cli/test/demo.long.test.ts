import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { folder, request, startServer, trailbook } from "./program.ts"

const demo = ["demo", "--port", "0"]
/** Returns the remaining seats on the next departure, queried with the command that the banner prints. */
const readRemaining = async (baseUrl: string, stdout: string) => {
  const [, path] = /curl .*\/v1(\S+)/.exec(stdout) ?? []
  return (await request(`${baseUrl}${path}`, keyIn(stdout))).body.data?.[0]?.remaining
}
const keyIn = (text: string): string => /tb_test_\w{50}/.exec(text)?.[0] ?? ""

describe("demo", () => {
  it("prints the address, the key, the reference, and a working example command", async () => {
    const cwd = folder()
    const { baseUrl, output } = await startServer(demo, { cwd })
    const { stdout } = output
    expect(stdout.split("\n", 1)).toEqual([`Trailbook is ready at ${baseUrl}`])
    const page = await fetch(/http:\S+\/book\/\S+/.exec(stdout)?.[0] ?? "", { headers: { accept: "text/html" } })
    expect(page.status).toBe(200)
    expect(await page.text()).toContain("Browns Canyon Half Day")
    expect((await fetch(/http:\S+\/reference/.exec(stdout)?.[0] ?? "")).status).toBe(200)
    const [, key, url] = /curl -H "Authorization: Bearer (\w+)" (\S+)/.exec(stdout) ?? []
    const { body, status } = await request(url ?? "", key)
    expect(status).toBe(200)
    expect(body.data?.[0]).toMatchObject({ capacity: 12, remaining: 1 })
  })

  it("serves a guest's picture, and prints a command that fetches the inbox", async () => {
    const { baseUrl, output } = await startServer(demo, { cwd: folder() })
    const [, inbox] = [...output.stdout.matchAll(/curl -H "Authorization: Bearer \w+" (\S+)/g)].map(([, url]) => url)
    const key = keyIn(output.stdout)
    const { body } = await request(inbox ?? "", key)
    expect(body.data?.[0]).toMatchObject({ customer: null, from_name: "Nadia Brandt", needs_reply: true })

    const { body: messages } = await request(`${baseUrl}/messages?limit=500`, key)
    const files = messages.data?.flatMap(({ attachments }) => attachments as ReadonlyArray<{ readonly id: string }>)
    expect(files).toHaveLength(1)
    const headers = { authorization: `Bearer ${key}` }
    const picture = await fetch(new URL(`/api/attachments/${files?.[0]?.id}`, baseUrl), { headers })
    expect(picture.headers.get("content-type")).toBe("image/png")
    expect(Buffer.from(await picture.arrayBuffer()).toString("latin1", 1, 4)).toBe("PNG")
  })

  it("serves bookings through the API, and stores emails in the outbox", async () => {
    const cwd = folder()
    const { baseUrl, output } = await startServer(demo, { cwd })
    const key = keyIn(output.stdout)
    const { body: bookings } = await request(`${baseUrl}/bookings`, key)
    expect(bookings.data?.length).toBeGreaterThan(50)
    expect(new Set(bookings.data?.map(({ status }) => status))).toEqual(new Set(["confirmed", "held", "cancelled"]))
    expect(bookings.data?.filter(({ previous }) => previous !== undefined).length).toBeGreaterThan(1)

    const outbox = join(cwd, ".trailbook", "outbox")
    const mails = readdirSync(outbox).filter((name) => name.endsWith(".eml"))
    const texts = mails.map((name) => readFileSync(join(outbox, name), "utf8"))
    expect(texts.filter((text) => text.includes("Subject: Booking confirmed")).length).toBeGreaterThan(5)
    expect(texts[0]).toMatch(/^To: .*@example\.com>/m)
  })

  it("reuses the data and the key when it starts again", async () => {
    const cwd = folder()
    const first = await startServer(demo, { cwd })
    const key = keyIn(first.output.stdout)
    const { body } = await request(`${first.baseUrl}/offerings`, key, {
      method: "POST",
      body: JSON.stringify({ name: "Mine", kind: "rental" })
    })
    first.child.kill("SIGTERM")
    expect(await first.ended).toBe(0)

    const second = await startServer([...demo, "--seed", "8"], { cwd })
    expect(keyIn(second.output.stdout)).toBe(key)
    expect(second.output.stderr).toContain("with seed 7. Use --fresh")
    expect((await request(`${second.baseUrl}/offerings`, key)).body.data).toContainEqual(body)
  })

  it("creates the same outfitter, but a new key, for the same seed", async () => {
    const starts = await Promise.all(
      [folder(), folder()].map((cwd) => startServer([...demo, "--seed", "7", "--json"], { cwd }))
    )
    const [one, other] = starts.map(({ output }): Record<string, unknown> => JSON.parse(output.stdout))
    expect(Object.keys(one ?? {})).toEqual([
      "base_url",
      "api_key",
      "org_id",
      "offering_id",
      "sign_in_url",
      "booking_url",
      "reference_url"
    ])
    expect(other?.org_id).toBe(one?.org_id)
    expect(other?.api_key).not.toBe(one?.api_key)
  })

  it("prints a single-use link that opens the dashboard, and sends no email", async () => {
    const { output } = await startServer([...demo, "--json"], { cwd: folder() })
    const { base_url, sign_in_url: link } = JSON.parse(output.stdout)
    const linkPage = await fetch(link)
    expect(linkPage.status).toBe(200)
    const press = () =>
      fetch(link, {
        method: "POST",
        redirect: "manual",
        headers: { "content-type": "application/x-www-form-urlencoded" }
      })
    const pressed = await press()
    expect(pressed.status).toBe(303)
    const cookie = pressed.headers.get("set-cookie")?.split(";")[0] ?? ""
    const page = await fetch(new URL("/dashboard", base_url), { headers: { cookie }, redirect: "manual" })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Salida River Co.")])
    expect((await press()).status).toBe(410)
  })

  it("makes the key file readable only by its owner", async () => {
    const cwd = folder()
    await startServer(demo, { cwd })
    expect(statSync(join(cwd, ".trailbook")).mode & 0o777).toBe(0o700)
    expect(statSync(join(cwd, ".trailbook", "demo.json")).mode & 0o777).toBe(0o600)
  })

  it("starts over after an interrupted setup", async () => {
    const cwd = folder()
    const first = await startServer(demo, { cwd })
    first.child.kill("SIGKILL")
    await first.ended
    // `demo.json` is written last. Without it, the database looks like an interrupted setup.
    rmSync(join(cwd, ".trailbook", "demo.json"))
    const { baseUrl, output } = await startServer(demo, { cwd })
    expect(await readRemaining(baseUrl, output.stdout)).toBe(1)
  })

  it("adds new trips once it is three weeks old", async () => {
    const cwd = folder()
    const first = await startServer(demo, { cwd })
    first.child.kill("SIGTERM")
    await first.ended
    // Simulates a demo that was created 24 days ago and has had no new trips since.
    const path = join(cwd, ".trailbook", "demo.json")
    const file: Record<string, unknown> = JSON.parse(readFileSync(path, "utf8"))
    const weeksAgo = new Date(Date.parse(String(file.made_at)) - 24 * 86_400_000).toISOString()
    writeFileSync(path, JSON.stringify({ ...file, made_at: weeksAgo, told_until: weeksAgo.slice(0, 10) }))

    const { baseUrl, output } = await startServer(demo, { cwd })
    expect(output.stdout).toContain(`generated on ${weeksAgo.slice(0, 10)} and extended to today`)
    expect(output.stdout).toContain("To start over: npx trailbook demo --fresh")
    expect(await readRemaining(baseUrl, output.stdout)).toBe(1)
    expect(JSON.parse(readFileSync(path, "utf8")).told_until > weeksAgo).toBe(true)
    const { body } = await request(`${baseUrl}/sessions?limit=500`, keyIn(output.stdout))
    const places = body.data?.map(({ offering_id, starts_at }) => `${String(offering_id)} ${String(starts_at)}`) ?? []
    expect(new Set(places).size).toBe(places.length)
    const last = Math.max(...body.data?.map(({ starts_at }) => Date.parse(String(starts_at))) ?? [])
    expect(last).toBeGreaterThan(Date.now() + 30 * 86_400_000)
  })

  it("with --fresh, deletes the demo's own data and nothing else", async () => {
    const cwd = folder()
    const first = await startServer(demo, { cwd })
    const userFiles = [
      join(cwd, "notes.txt"),
      join(cwd, ".trailbook", "mine.sqlite"),
      join(cwd, ".trailbook", "outbox", "a.eml")
    ]
    for (const path of userFiles) writeFileSync(path, "mine")

    const rejection = await trailbook([...demo, "--fresh"], { cwd })
    expect(rejection).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^A demo is already running in .*\nStop it first/)
    })
    expect((await request(`${first.baseUrl}/org`, keyIn(first.output.stdout))).status).toBe(200)
    first.child.kill("SIGTERM")
    await first.ended

    const mails = () => readdirSync(join(cwd, ".trailbook", "outbox")).filter((name) => name.includes("confirmed"))
    const before = mails()
    const second = await startServer([...demo, "--fresh"], { cwd })
    expect(keyIn(second.output.stdout)).not.toBe(keyIn(first.output.stdout))
    expect(await readRemaining(second.baseUrl, second.output.stdout)).toBe(1)
    for (const path of userFiles) expect(readFileSync(path, "utf8")).toBe("mine")
    expect(mails().length).toBe(before.length)
  })

  it("only simulates the refund when a demo booking is canceled", async () => {
    const cwd = folder()
    const { baseUrl, child, ended, output } = await startServer([...demo, "--log-format", "json"], { cwd })
    const key = keyIn(output.stdout)
    const { body } = await request(`${baseUrl}/bookings?order=desc&status=confirmed`, key)
    const paidBooking = body.data?.find(({ paid_at }) => paid_at !== null)
    expect(paidBooking?.payment_intent_id).toMatch(/^demo_no_money_/)
    expect((await request(`${baseUrl}/bookings/${String(paidBooking?.id)}/cancel`, key, { method: "POST" })).status)
      .toBe(200)
    await vi.waitUntil(() => output.stderr.includes("Simulated a refund"), { timeout: 60_000 })
    child.kill("SIGTERM")
    expect(await ended).toBe(0)
    expect(output.stderr).not.toContain("failed")
  })

  it("offers a test checkout, unlike a regular server", async () => {
    const cwd = folder()
    const first = await startServer(demo, { cwd })
    const key = keyIn(first.output.stdout)
    const [, offering] = /\/offerings\/([\w-]+)\/availability/.exec(first.output.stdout) ?? []
    const book = async (baseUrl: string, email: string) => {
      const { body: free } = await request(`${baseUrl}/offerings/${offering}/availability`, key)
      const { session_id } = free.data?.find(({ remaining }) => Number(remaining) > 0) ?? {}
      const order = { offering_id: offering, session_id, customer: { email } }
      return (await request(`${baseUrl}/bookings`, key, { method: "POST", body: JSON.stringify(order) })).body
    }
    const pay = (url: string) =>
      fetch(url, { method: "POST", body: new URLSearchParams({ act: "pay" }), redirect: "manual" })
    const hold = await book(first.baseUrl, "ada@example.com")
    expect(hold).toMatchObject({ status: "held", payment_intent_id: null })
    const url = String(hold.checkout_url)
    expect(url.startsWith(new URL("/till/", first.baseUrl).href)).toBe(true)
    expect(await (await fetch(url)).text()).toContain("This is a test checkout")
    first.child.kill("SIGKILL")
    await first.ended

    const second = await startServer(demo, { cwd })
    const again = new URL(new URL(url).pathname, second.baseUrl).href
    expect((await pay(again)).status).toBe(303)
    expect((await request(`${second.baseUrl}/bookings/${String(hold.id)}`, key)).body).toMatchObject({
      status: "confirmed",
      payment_intent_id: expect.stringMatching(/^test_no_money_/)
    })
    second.child.kill("SIGTERM")
    expect(await second.ended).toBe(0)

    const database = ["--database", "sqlite:.trailbook/demo.sqlite"]
    const server = await startServer(["serve", ...database, "--port", "0"], { cwd })
    expect((await fetch(new URL(new URL(url).pathname, server.baseUrl))).status).toBe(404)
    expect(await book(server.baseUrl, "bob@example.com")).toMatchObject({ status: "confirmed", checkout_url: null })
  })

  it.each([
    ["a file is in place of the folder", (cwd: string) => writeFileSync(join(cwd, ".trailbook"), "")],
    ["a file is in place of the database", (cwd: string) => {
      mkdirSync(join(cwd, ".trailbook", "demo.sqlite"), { recursive: true })
    }]
  ])("reports that %s, and exits with 1", async (_, spoil) => {
    const cwd = folder()
    spoil(cwd)
    const { code, stderr, stdout } = await trailbook(demo, { cwd })
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toMatch(
      /^The demo cannot write to the folder .*\.trailbook: .*\nStart the demo in a writable folder/
    )
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it.skipIf(process.getuid?.() === 0)("reports a folder that is not writable", async () => {
    const cwd = folder()
    chmodSync(cwd, 0o555)
    const { code, stderr } = await trailbook(demo, { cwd })
    chmodSync(cwd, 0o755)
    expect(code).toBe(1)
    expect(stderr).toContain("permission denied")
  })
})
