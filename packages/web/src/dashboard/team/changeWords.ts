import type { staffAudit } from "@trailbook/core/operation/memberOperations"
import type { Operation } from "@trailbook/core/operation/Operation"

type Entry = Operation.Output<typeof staffAudit>["data"][number]

/**
 * A change as a sentence: who did what to whom. People who have left are named nowhere any more.
 *
 * @category formatting
 */
export const changeWords = (entry: Entry): string => `${byOf(entry)} ${whatOf[entry.what](entry)}.`

const byOf = ({ by, by_email }: Entry): string => ({
  staff: by_email === "" ? "Somebody who has left" : by_email,
  operator: "Whoever runs the server",
  host: "The program around the service",
  application: "An assistant",
  service: "The service"
}[by])

const who = ({ subject_email }: Entry): string => subject_email === "" ? "somebody who has left" : subject_email

const way = ({ name }: Entry): string => name === "passkey" ? "with a passkey" : "with a mailed link"

const whatOf: { readonly [What in Entry["what"]]: (entry: Entry) => string } = {
  "member.added": (entry) => `put ${who(entry)} on the team as ${entry.name}`,
  "member.changed": (entry) => `made ${who(entry)} ${entry.name === "owner" ? "an owner" : entry.name}`,
  "member.removed": (entry) => `removed ${who(entry)} from the team`,
  "key.created": ({ name }) => `created the key “${name}”`,
  "key.revoked": ({ name }) => `revoked the key “${name}”`,
  "login.started": (entry) => `signed in ${way(entry)}`,
  "login.ended": (entry) => `signed a browser out that had come in ${way(entry)}`,
  "passkey.added": () => "added a passkey",
  "passkey.removed": () => "removed a passkey",
  "application.approved": ({ name }) => `let the assistant “${name}” in`,
  "application.withdrawn": ({ name }) => `disconnected the assistant “${name}”`,
  "payments.connected": ({ name }) => `connected the payment account ${name}`,
  "payments.disconnected": ({ name }) => `disconnected the payment account ${name}`
}
