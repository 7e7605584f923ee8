/**
 * Kills a server several times while it receives mail from a guest. No acknowledged mail may be lost or stored twice.
 * One control acknowledges mail before it is stored and must lose some mail. The other control drops the deduplication
 * keys and must store some mail twice.
 */
import { setTimeout as wait } from "node:timers/promises"
import { createTransport } from "nodemailer"
import { createTrailbook } from "trailbook"
import { assert, it } from "vitest"
import { listenerEnv, type Moment } from "../../packages/mail/test/answering.ts"
import { freePort } from "../freePort.ts"
import { readAllPages } from "../reliability/everything.ts"
import { type ServerProcess, startServer } from "../reliability/ServerProcess.ts"
import { execute } from "../reliability/statements.ts"
import { databases, sqlite, type Target } from "../reliability/Target.ts"
import { runs } from "../runs.ts"

const kills = runs(8, 5, 5)
const mails = runs(120, 70, 70)
const sendersAtOnce = 3
const org = { name: "Salida River Co.", timezone: "America/Denver" }
const replyDomain = "reply.salida.example"
const publicUrl = "https://book.example"

/** Sends a message to a guest and returns the guest's ID and the reply address. */
const messageGuest = async (target: Target) => {
  let address = ""
  const mailer = {
    send: async ({ replyTo }: { readonly replyTo?: { readonly email: string } | null }) => {
      address = replyTo?.email ?? ""
    }
  }
  const replies = { domain: replyDomain, secret: "a-secret-of-at-least-thirty-two-characters" }
  const trailbook = await createTrailbook({ database: target.url, org, mailer, replies, publicUrl, logLevel: "silent" })
  try {
    const { id } = await trailbook.customers.upsert({ email: "ada@example.com", name: "Ada" })
    await trailbook.messages.send({ customer_id: id, body: "Shall we say Saturday?" })
    await trailbook.worker.runOnce()
    return { id, address }
  } finally {
    await trailbook.close()
  }
}

interface Story {
  readonly answers: Moment
  /** Changes the tables while no process is running. */
  readonly between?: (target: Target) => Promise<void>
}

/**
 * Returns the acknowledged emails that are missing or stored twice, and the number of emails that were unsent at the
 * last kill.
 */
const receiveThroughKills = async (target: Target, { answers, between = async () => {} }: Story) => {
  const { address, id } = await messageGuest(target)
  const port = await freePort()
  const environment = {
    TRAILBOOK_MAIL_LISTEN: `lmtp://127.0.0.1:${port}`,
    TRAILBOOK_REPLY_DOMAIN: replyDomain,
    ...listenerEnv(answers)
  }
  const transport = createTransport({ host: "127.0.0.1", port, lmtp: true, ignoreTLS: true })
  let server: ServerProcess | undefined
  try {
    // Like a mail server, retry until the mail is accepted.
    const send = async (n: number): Promise<void> => {
      const head = `From: ada@example.com\r\nMessage-ID: <${n}@mail.example.com>\r\nSubject: Re: Your trip`
      const raw = `${head}\r\n\r\nAnswer ${n}.`
      for (;;) {
        const isAccepted = await transport.sendMail({ envelope: { from: "ada@example.com", to: [address] }, raw }).then(
          ({ rejected }) => rejected.length === 0,
          () => false
        )
        if (isAccepted) return
        await wait(20)
      }
    }
    let next = 0
    const senders = Promise.all(Array.from({ length: sendersAtOnce }, async () => {
      while (next < mails) await send(next++)
    }))
    for (let round = 0; round < kills; round++) {
      const from = next
      server = await startServer(target.url, target.folder, { environment })
      // Kill after some emails have arrived but while others are in transit.
      while (next < Math.min(mails, from + 4 + round)) await wait(1)
      await server.kill()
      await between(target)
    }
    const remainingMails = mails - next
    server = await startServer(target.url, target.folder, { environment })
    await senders
    await server.kill("SIGTERM")

    const trailbook = await createTrailbook({ database: target.url, org, mailer: "none", logLevel: "silent" })
    const messages = await readAllPages((cursor) => trailbook.messages.list({ customer_id: id, limit: 500, ...cursor }))
    await trailbook.close()
    const bodies = messages.filter(({ direction }) => direction === "to_outfitter").map(({ body }) => body)
    const all = Array.from({ length: mails }, (_, n) => `Answer ${n}.`)
    return {
      lost: all.filter((body) => !bodies.includes(body)),
      twice: [...new Set(bodies.filter((body, at) => bodies.indexOf(body) !== at))],
      left: remainingMails
    }
  } finally {
    transport.close()
    await server?.kill()
    await target.close()
  }
}

it.each(databases("SQLite"))(
  "%s: stores every acknowledged email once despite kill -9",
  async (_, open) => {
    const { left, lost, twice } = await receiveThroughKills(await open(), { answers: "after it was stored" })
    assert.deepStrictEqual([lost, twice], [[], []])
    assert.isAbove(left, 0, "all emails had arrived before the last kill")
  },
  300_000
)

it("SQLite control: loses emails if they are acknowledged before they are stored", async () => {
  const { lost } = await receiveThroughKills(await sqlite(), { answers: "before it is stored" })
  assert.isNotEmpty(lost)
}, 300_000)

it("SQLite control: stores emails twice without deduplication", async () => {
  const { twice } = await receiveThroughKills(await sqlite(), {
    answers: "after it was stored",
    between: (target) => execute(target, (table) => `update ${table("messages")} set mail_key = null`)
  })
  assert.isNotEmpty(twice)
}, 300_000)
