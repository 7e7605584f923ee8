import * as Effect from "effect/Effect"
import { CustomerStore } from "../customer/CustomerStore.ts"
import { makeProofSecret, parseProofSubject, proofHours } from "../customer/EmailProof.ts"
import { fromContent } from "../mail/automatedMail.ts"
import { Mailer } from "../mail/Mailer.ts"
import { proofMail } from "../mail/proofMail.ts"
import { Ids } from "../port/Ids.ts"
import * as Handler from "../task/Handler.ts"
import type { Task } from "../task/Task.ts"
import { currentTime } from "../time/currentTime.ts"
import { completeAfter } from "./completeAfter.ts"
import type { Options } from "./TaskHandlers.ts"
import { unprovenMails } from "./unprovenMails.ts"
import { makeAttachOrg } from "./withOrg.ts"

/** Mails a link that proves a guest's address. The secret is created when the mail is sent and is not stored. */
export const proofMails = ({ publicUrl }: Pick<Options, "publicUrl">) =>
  Effect.gen(function*() {
    const customers = yield* CustomerStore
    const ids = yield* Ids
    const mailer = yield* Mailer
    const withOrgs = yield* makeAttachOrg
    const { ofProof: delayedUntil } = yield* unprovenMails

    const read = (tasks: ReadonlyArray<Task>) =>
      Effect.gen(function*() {
        const keyOf = (task: Task) => ({ orgId: task.orgId, id: parseProofSubject(task).customerId })
        const found = yield* customers.find(tasks.map(keyOf))
        return yield* withOrgs(tasks, (task) => {
          const { id, orgId } = keyOf(task)
          const customer = found.find((one) => one.id === id && one.orgId === orgId && one.erasedAt === null)
          return customer && { customer }
        })
      })

    return Handler.make({
      triedForMinutes: proofHours * 60,
      read,
      run: (task, { customer, org }) =>
        Effect.gen(function*() {
          const laterAt = yield* delayedUntil(task, customer)
          if (laterAt !== undefined) return { laterAt }
          const { language } = parseProofSubject(task)
          const secret = makeProofSecret(ids, org, customer.id, yield* currentTime)
          const url = `${publicUrl}/book/${org.slug}/email/${secret}`
          return yield* completeAfter(mailer.send(fromContent(task.id, customer, proofMail(org, language, url))))
        })
    })
  })
