/**
 * Handles requests for sign-in links by email. The response is sent before any lookup, so it does not reveal which
 * addresses exist.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import { OrgStore } from "../../org/Orgs.ts"
import { currentTime } from "../../time/currentTime.ts"
import { type StaffMember, StaffStore } from "../StaffMember.ts"
import { maxSignInLinks, signInLinkMinutes, StaffSessionStore } from "./StaffSession.ts"
import { StaffSessions } from "./StaffSessions.ts"

interface SignInRequest {
  /** The email address in lowercase. */
  readonly email: string
  /** The path to open after sign-in. */
  readonly next: string | null
  /** Builds the link's URL from the secret. */
  readonly url: (secret: string) => string
}

export class SignInRequests extends Context.Tag("@trailbook/core/SignInRequests")<
  SignInRequests,
  {
    /** Emails a link to every staff member with this address, across all orgs. */
    readonly sendLinks: (request: SignInRequest) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.scoped(SignInRequests, Effect.suspend(() => makeSignInRequests))
}

const makeSignInRequests = Effect.gen(function*() {
  const staff = yield* StaffStore
  const store = yield* StaffSessionStore
  const orgs = yield* OrgStore
  const logins = yield* StaffSessions
  const mails = yield* SignInMailer
  // Drop requests that arrive faster than emails can be sent.
  const queue = yield* Queue.dropping<SignInRequest>(maxQueued)

  const mailLink = (member: StaffMember, { next, url }: SignInRequest) =>
    Effect.gen(function*() {
      const { id: staffId, orgId } = member
      const now = yield* currentTime
      const links = yield* store.links({ orgId, staffId })
      const recentLinks = links.filter(({ createdAt }) => now - createdAt < signInLinkMinutes * 60_000)
      // Anyone can request links for this address, so the number of links is limited.
      if (recentLinks.length >= maxSignInLinks) return
      const org = yield* orgs.find(orgId)
      if (Option.isNone(org)) return
      const secret = yield* logins.link({ orgId, staffId, next })
      yield* mails.send({ to: member, org: org.value.name, url: url(secret) })
    })

  const mailLinks = (request: SignInRequest) =>
    Effect.flatMap(
      staff.withEmail(request.email),
      Effect.forEach((member) => mailLink(member, request), { discard: true })
    ).pipe(Effect.catchAllDefect((defect) => Effect.logError("Could not send a sign-in email", defect)))

  yield* Effect.forkScoped(
    Effect.forever(Effect.flatMap(Queue.take(queue), mailLinks))
  ).pipe(Effect.repeatN(concurrency - 1))

  return SignInRequests.of({ sendLinks: (request) => Effect.asVoid(Queue.offer(queue, request)) })
})

const maxQueued = 200

/** The number of emails sent concurrently. It is more than 1, so that one slow mail server does not delay the rest. */
const concurrency = 4

/** Emails sign-in links. The text contains a secret, so it is never stored, not even in a task. */
export class SignInMailer extends Context.Tag("@trailbook/core/SignInMailer")<
  SignInMailer,
  {
    /**
     * Sends the email, retrying for about a minute. A failure is only logged, because the staff member can request a
     * new link.
     */
    readonly send: (mail: {
      readonly to: StaffMember
      /** The org's name. */
      readonly org: string
      readonly url: string
    }) => Effect.Effect<void>
  }
>() {}
