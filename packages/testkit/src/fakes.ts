/**
 * Fakes for a booking engine's external services. Each fake documents its guarantees, which this package's tests
 * verify:
 *
 * - `SettableClock`: a clock that moves only when it is set
 * - `FakeDrafter`: a language model that obeys every guest
 * - `FakeMailer`: a mailer that records messages
 * - `FakeFiles`: in-memory files
 * - `FakePayments`: a payment provider with no bank behind it
 * - `FakeWebhookSender`: a webhook sender that records deliveries
 * - `FakeSecrets`: secrets without encryption
 * - `TestIds`: deterministic IDs, references, and handles
 *
 * @example
 * import { FakeMailer, FakePayments, TestIds } from "@trailbook/testkit/fakes"
 * import * as Layer from "effect/Layer"
 *
 * const external = Layer.mergeAll(FakePayments.layer, FakeMailer.layer, TestIds.layer(1))
 */
import { Drafter, DraftFailed, type DraftPrompt } from "@trailbook/core/conversation"
import { Files, FilesFailed } from "@trailbook/core/file"
import { type Mail, Mailer, MailFailed } from "@trailbook/core/mail"
import { type SecretLocation, Secrets } from "@trailbook/core/port"
import { type Delivery, type SendResult, WebhookSender } from "@trailbook/core/webhook"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"

export { FakePayments } from "./fake/FakePayments.ts"
export * as SettableClock from "./fake/SettableClock.ts"
export * as TestIds from "./fake/TestIds.ts"

/**
 * A language model that is maximally vulnerable to prompt injection: it replies with the guest's last message, word
 * for word.
 *
 * Guarantees:
 * - It records each prompt in order.
 * - It returns the guest's last text in the prompt, or the configured response.
 * - While it is set to refuse, every call fails with `DraftFailed`.
 */
export class FakeDrafter extends Context.Tag("@trailbook/testkit/FakeDrafter")<
  FakeDrafter,
  {
    /** All prompts, oldest first. */
    readonly prompts: Effect.Effect<ReadonlyArray<DraftPrompt>>
    /** Sets the response. Without an argument, restores the default. */
    readonly say: (answer?: Effect.Effect<string>) => Effect.Effect<void>
    /** Makes every call fail, or lets calls succeed again. */
    readonly refuse: (refuses: boolean) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<FakeDrafter | Drafter> = Layer.effectContext(
    Effect.gen(function*() {
      const prompts = yield* Ref.make<ReadonlyArray<DraftPrompt>>([])
      const refuses = yield* Ref.make(false)
      const reply = yield* Ref.make<Effect.Effect<string> | undefined>(undefined)
      const fakeDrafter = FakeDrafter.of({
        prompts: Ref.get(prompts),
        say: (answer) => Ref.set(reply, answer),
        refuse: (isRefusing) => Ref.set(refuses, isRefusing)
      })
      const drafter = Drafter.of({
        draft: (prompt) =>
          Effect.gen(function*() {
            yield* Ref.update(prompts, (all) => [...all, prompt])
            if (yield* Ref.get(refuses)) {
              return yield* new DraftFailed({ message: "The language model refused to write a draft." })
            }
            const answer = yield* Ref.get(reply)
            // Yield, so that concurrent requests interleave.
            yield* Effect.yieldNow()
            return answer === undefined ? followInstructions(prompt) : yield* answer
          })
      })
      return Context.make(FakeDrafter, fakeDrafter).pipe(Context.add(Drafter, drafter))
    })
  )
}

const followInstructions = ({ material }: DraftPrompt): string => {
  const { messages }: { readonly messages: ReadonlyArray<{ readonly from: string; readonly text: string }> } = JSON
    .parse(material)
  return messages.findLast(({ from }) => from === "guest")?.text ?? "Hello."
}

/**
 * A mailer that records messages instead of sending them, with failures on demand.
 *
 * Guarantees:
 * - It records every accepted message in sending order, including duplicates.
 * - A refused message fails with `MailFailed` and is not recorded. A test can make it refuse all messages, or only
 *   those to one address, temporarily or permanently.
 * - If configured to, it reports that delivery reports were requested.
 */
export class FakeMailer extends Context.Tag("@trailbook/testkit/FakeMailer")<
  FakeMailer,
  {
    /** All sent messages, oldest first, including duplicates. */
    readonly sent: Effect.Effect<ReadonlyArray<Mail>>
    /** Refuses every message, or accepts messages again. */
    readonly refuse: (refuses: boolean) => Effect.Effect<void>
    /** Refuses mail to this address (`"permanently"` or `"for now"`), or accepts it again (`"no"`). */
    readonly refuseAddress: (email: string, refuses: "permanently" | "for now" | "no") => Effect.Effect<void>
    /**
     * Sets whether the mailer reports that a delivery report was requested, as it would with a mail server that
     * supports delivery reports.
     */
    readonly promiseReports: (promises: boolean) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<FakeMailer | Mailer> = Layer.effectContext(
    Effect.gen(function*() {
      const sentMails = yield* Ref.make<ReadonlyArray<Mail>>([])
      const refuses = yield* Ref.make(false)
      const reportRequested = yield* Ref.make(false)
      const refusals = yield* Ref.make<ReadonlyMap<string, "permanently" | "for now" | "no">>(new Map())
      const mailbox = FakeMailer.of({
        sent: Ref.get(sentMails),
        refuse: (isRefusing) => Ref.set(refuses, isRefusing),
        refuseAddress: (email, refusal) => Ref.update(refusals, (all) => new Map([...all, [email, refusal]])),
        promiseReports: (promises) => Ref.set(reportRequested, promises)
      })
      const mailer = Mailer.of({
        send: (mail) =>
          Effect.gen(function*() {
            if (yield* Ref.get(refuses)) {
              return yield* new MailFailed({
                message: "The mailbox is full.",
                permanent: false,
                reason: "refused"
              })
            }
            const refusal = (yield* Ref.get(refusals)).get(mail.to.email) ?? "no"
            if (refusal !== "no") {
              const permanent = refusal === "permanently"
              return yield* new MailFailed({ message: "The address does not exist.", permanent, reason: "address" })
            }
            yield* Ref.update(sentMails, (mails) => [...mails, mail])
            return { reportRequested: yield* Ref.get(reportRequested) }
          })
      })
      return Context.make(FakeMailer, mailbox).pipe(Context.add(Mailer, mailer))
    })
  )
}

/**
 * In-memory files, with failures on demand.
 *
 * Guarantees:
 * - It satisfies the `Files` contract, unless it is set to refuse.
 * - A refused call fails with `FilesFailed` and changes nothing.
 * - Its contents can be listed by key.
 */
export class FakeFiles extends Context.Tag("@trailbook/testkit/FakeFiles")<
  FakeFiles,
  {
    /** The current contents. */
    readonly contents: Effect.Effect<ReadonlyMap<string, Uint8Array>>
    /** Makes every call fail, or lets calls succeed again. */
    readonly refuse: (refuses: boolean) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<FakeFiles | Files> = Layer.effectContext(
    Effect.gen(function*() {
      const files = new Map<string, Uint8Array>()
      const refuses = yield* Ref.make(false)
      const attempt = <A>(work: () => A): Effect.Effect<A, FilesFailed> =>
        Effect.flatMap(
          Ref.get(refuses),
          (isRefusing) =>
            isRefusing ? new FilesFailed({ message: "The file storage is unavailable." }) : Effect.sync(work)
        )
      return Context.make(
        FakeFiles,
        FakeFiles.of({
          contents: Effect.sync(() => new Map(files)),
          refuse: (isRefusing) => Ref.set(refuses, isRefusing)
        })
      ).pipe(Context.add(
        Files,
        Files.of({
          put: (key, bytes) => attempt(() => void files.set(key, bytes.slice())),
          get: (key) => attempt(() => Option.map(Option.fromNullable(files.get(key)), streamOf)),
          remove: (key) => attempt(() => void files.delete(key))
        })
      ))
    })
  )
}

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      if (bytes.length > 0) controller.enqueue(bytes.slice())
      controller.close()
    }
  })

/**
 * A webhook sender that records deliveries instead of sending them, and returns configured responses.
 *
 * Guarantees:
 * - It records every started delivery in order, regardless of its outcome.
 * - A URL returns its configured response, or 200 by default.
 * - An interrupted delivery no longer counts toward `most`, the maximum number of concurrent deliveries to one URL.
 */
export class FakeWebhookSender extends Context.Tag("@trailbook/testkit/FakeWebhookSender")<
  FakeWebhookSender,
  {
    /** All deliveries, oldest first. */
    readonly got: Effect.Effect<ReadonlyArray<Delivery>>
    /** The maximum number of concurrent deliveries to one URL. */
    readonly most: Effect.Effect<number>
    /** Sets the response for a URL. The effect can wait, and can depend on the delivery. */
    readonly answer: (url: string, by: (delivery: Delivery) => Effect.Effect<SendResult>) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<FakeWebhookSender | WebhookSender> = Layer.effectContext(
    Effect.sync(() => {
      const deliveries: Array<Delivery> = []
      const answers = new Map<string, (delivery: Delivery) => Effect.Effect<SendResult>>()
      const underWay = new Map<string, number>()
      let most = 0
      const count = (url: string, by: number) =>
        Effect.sync(() => {
          const now = (underWay.get(url) ?? 0) + by
          underWay.set(url, now)
          most = Math.max(most, now)
        })
      const receivers = FakeWebhookSender.of({
        got: Effect.sync(() => [...deliveries]),
        most: Effect.sync(() => most),
        answer: (url, by) => Effect.sync(() => void answers.set(url, by))
      })
      const sender = WebhookSender.of({
        send: (delivery) =>
          Effect.acquireUseRelease(
            Effect.zipRight(Effect.sync(() => deliveries.push(delivery)), count(delivery.url, 1)),
            () => answers.get(delivery.url)?.(delivery) ?? answer(200),
            () => count(delivery.url, -1)
          ),
        findUrlProblem: (url) => Effect.succeed(url.startsWith("https://") ? undefined : "must be an https URL")
      })
      return Context.make(FakeWebhookSender, receivers).pipe(Context.add(WebhookSender, sender))
    })
  )
}

const answer = (status: number): Effect.Effect<SendResult> => Effect.succeed({ _tag: "Answered", status })

const makeFakeSecretsLayer = (key = "k1"): Layer.Layer<Secrets> =>
  Layer.succeed(
    Secrets,
    Secrets.of({
      seal: (secret, place) => Effect.succeed(prefixOf(key, place) + secret),
      open: (ciphertext, place) =>
        ciphertext.startsWith(prefixOf(key, place))
          ? Effect.succeed(ciphertext.slice(prefixOf(key, place).length))
          : Effect.dieMessage("The secret was not encrypted by this fake."),
      isCurrent: (ciphertext) => ciphertext.startsWith(`${key}:`)
    })
  )

const prefixOf = (key: string, { id, orgId, table }: SecretLocation): string => `${key}:${table}:${orgId}:${id}:`

/**
 * Secrets without encryption. A sealed secret is plain text, prefixed with the name of the key and the place.
 *
 * Guarantees:
 * - A secret opens only in the place it was sealed for.
 * - A secret sealed with another key does not open and is not current.
 */
export const FakeSecrets = { makeFakeSecretsLayer }
