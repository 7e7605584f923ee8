/**
 * Asking for a link by mail. Whoever asks learns nothing of who is known here: the answer
 * comes before anything is looked up, the same words in the same time for everybody.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import { OrgStore } from "../org/OrgStore.ts"
import { currentTime } from "../time/currentTime.ts"
import { linkMinutes, maxLinks } from "./SignInLink.ts"
import { SignInMails } from "./SignInMails.ts"
import type { StaffMember } from "./StaffMember.ts"
import { StaffSessions } from "./StaffSessions.ts"
import { StaffSessionStore } from "./StaffSessionStore.ts"
import { StaffStore } from "./StaffStore.ts"

interface Asked {
  /** In lower case. */
  readonly email: string
  /** Where to go on when they are signed in. */
  readonly next: string | null
  /** The address of a link, by its secret. */
  readonly url: (secret: string) => string
}

/**
 * @category services
 */
export class SignInRequests extends Context.Tag("@trailbook/core/SignInRequests")<
  SignInRequests,
  {
    /** Has everybody of the staff of any org who has this address mailed a link, if there is anybody. */
    readonly ask: (asked: Asked) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.scoped(
    SignInRequests,
    Effect.gen(function*() {
      const staff = yield* StaffStore
      const store = yield* StaffSessionStore
      const orgs = yield* OrgStore
      const logins = yield* StaffSessions
      const mails = yield* SignInMails
      // What asks faster than mails leave is dropped, and not kept for later.
      const waiting = yield* Queue.dropping<Asked>(maxWaiting)

      const mailed = (member: StaffMember, { next, url }: Asked) =>
        Effect.gen(function*() {
          const { id: staffId, orgId } = member
          const now = yield* currentTime
          const links = yield* store.links({ orgId, staffId })
          const young = links.filter(({ createdAt }) => now - createdAt < linkMinutes * 60_000)
          // Somebody else may ask for them again and again.
          if (young.length >= maxLinks) return
          const org = yield* orgs.find(orgId)
          if (Option.isNone(org)) return
          const secret = yield* logins.link({ orgId, staffId, next })
          yield* mails.send({ to: member, org: org.value.name, url: url(secret) })
        })

      const answered = (asked: Asked) =>
        Effect.flatMap(
          staff.withEmail(asked.email),
          Effect.forEach((member) => mailed(member, asked), { discard: true })
        ).pipe(Effect.catchAllDefect((defect) => Effect.logError("A sign-in mail was not sent.", defect)))

      yield* Effect.forkScoped(
        Effect.forever(Effect.flatMap(Queue.take(waiting), answered))
      ).pipe(Effect.repeatN(atOnce - 1))

      return SignInRequests.of({ ask: (asked) => Effect.asVoid(Queue.offer(waiting, asked)) })
    })
  )
}

const maxWaiting = 200

/** A mail server that takes its time with one address does not hold up all others. */
const atOnce = 4
