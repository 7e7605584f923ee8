import * as Effect from "effect/Effect"
import { CustomerStore } from "../customer/CustomerStore.ts"
import { makeProofSecret, parseProofSubject, proofHours } from "../customer/EmailProof.ts"
import { type MailContent, renderAutomatedMail } from "../mail/automatedMail.ts"
import { Mailer } from "../mail/Mailer.ts"
import { toSingleLine } from "../mail/toSingleLine.ts"
import type { Org } from "../org/Org.ts"
import { Ids } from "../port/Ids.ts"
import * as Handler from "../task/Handler.ts"
import type { Task } from "../task/Task.ts"
import { currentTime } from "../time/currentTime.ts"
import type { Language } from "../wire/Language.ts"
import type { TaskHandlerOptions } from "./TaskHandlers.ts"
import { makeAttachOrg, runAsTask } from "./taskSubjects.ts"
import { makeUnprovenMailLimiter } from "./unprovenMailLimiter.ts"

/** Emails a link that proves a guest's address. The secret is created when the email is sent and is not stored. */
export const makeProofMailHandler = ({ publicUrl }: Pick<TaskHandlerOptions, "publicUrl">) =>
  Effect.gen(function*() {
    const customers = yield* CustomerStore
    const ids = yield* Ids
    const mailer = yield* Mailer
    const attachOrgs = yield* makeAttachOrg
    const { ofProof: findDelayEnd } = yield* makeUnprovenMailLimiter

    const loadCustomers = (tasks: ReadonlyArray<Task>) =>
      Effect.gen(function*() {
        const toKey = (task: Task) => ({ orgId: task.orgId, id: parseProofSubject(task).customerId })
        const rows = yield* customers.find(tasks.map(toKey))
        return yield* attachOrgs(tasks, (task) => {
          const { id, orgId } = toKey(task)
          const customer = rows.find((row) => row.id === id && row.orgId === orgId && row.erasedAt === null)
          return customer && { customer }
        })
      })

    return Handler.make({
      triedForMinutes: proofHours * 60,
      read: loadCustomers,
      run: (task, { customer, org }) =>
        Effect.gen(function*() {
          const laterAt = yield* findDelayEnd(task, customer)
          if (laterAt !== undefined) return { laterAt }
          const { language } = parseProofSubject(task)
          const secret = makeProofSecret(ids, org, customer.id, yield* currentTime)
          const url = `${publicUrl}/book/${org.slug}/email/${secret}`
          return yield* runAsTask(mailer.send(renderAutomatedMail(task.id, customer, proofMail(org, language, url))))
        })
    })
  })

const english = {
  heading: "Confirm your email",
  greeting: "Hello,",
  lead: (outfitter: string) =>
    `To book with ${outfitter}, confirm your email with the link below. Then return to the booking page and submit ` +
    `the form again. The link expires in 24 hours.`,
  action: "Confirm email",
  closing: "If you did not try to book, ignore this email. Nothing was booked."
}

const spanish: typeof english = {
  heading: "Confirme su correo electrónico",
  greeting: "Hola:",
  lead: (outfitter) =>
    `Para reservar con ${outfitter}, confirme su correo con el siguiente enlace. Después, vuelva a la página de ` +
    `reservas y envíe el formulario de nuevo. El enlace vence en 24 horas.`,
  action: "Confirmar correo",
  closing: "Si usted no intentó reservar, ignore este correo. No se reservó nada."
}

const texts: Record<Language, typeof english> = { en: english, es: spanish }

/**
 * Returns the email whose link proves the address of a guest who requested more seats than are allowed without proof.
 * It is written in the language of the booking page.
 */
const proofMail = ({ name }: Org, language: Language, url: string): MailContent => {
  const { action, closing, greeting, heading, lead } = texts[language]
  const outfitter = toSingleLine(name)
  return {
    news: "held",
    language,
    outfitter,
    subject: `${heading}: ${outfitter}`,
    heading,
    greeting,
    paragraphs: [lead(outfitter)],
    rows: [],
    action: { label: action, url },
    further: [],
    closing: [closing]
  }
}
