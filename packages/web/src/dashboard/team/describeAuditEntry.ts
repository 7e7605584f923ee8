import type { Operation } from "@trailbook/core/operation/Operation"
import type { orgUpdate } from "@trailbook/core/org"
import type { staffAudit } from "@trailbook/core/staff"
import { automationLabels, autonomyLevelLabels } from "../automations/labels.ts"

type Entry = Operation.Output<typeof staffAudit>["data"][number]

/** Describes an audit entry in one sentence, without naming staff members who have left. */
export const describeAuditEntry = (entry: Entry): string => `${actorText(entry)} ${actionTexts[entry.what](entry)}.`

const actorText = ({ by, by_email, by_name }: Entry): string => ({
  staff: by_email === "" ? "A former team member" : by_email,
  operator: "The server operator",
  host: "The host application",
  key: by_name === "" ? "An API key" : `The API key “${by_name}”`,
  application: by_name === "" ? "An assistant" : `The assistant “${by_name}”`,
  service: "The service"
}[by])

const subjectText = ({ subject_email }: Entry): string => subject_email === "" ? "a former team member" : subject_email

const signInMethod = ({ name }: Entry): string => name === "passkey" ? "with a passkey" : "with a sign-in link"

const actionTexts: { readonly [What in Entry["what"]]: (entry: Entry) => string } = {
  "member.added": (entry) => `added ${subjectText(entry)} to the team as ${entry.name}`,
  "member.changed": (entry) => `made ${subjectText(entry)} ${entry.name === "owner" ? "an owner" : entry.name}`,
  "member.removed": (entry) => `removed ${subjectText(entry)} from the team`,
  "key.created": ({ name }) => `created the key “${name}”`,
  "key.revoked": ({ name }) => `revoked the key “${name}”`,
  "key.new_network": ({ name }) => `was used from a new network: ${name}`,
  "login.started": (entry) => `signed in ${signInMethod(entry)}`,
  "login.ended": (entry) => `ended a browser session that started ${signInMethod(entry)}`,
  "passkey.added": () => "added a passkey",
  "passkey.removed": () => "removed a passkey",
  "application.approved": ({ name }) => `connected the assistant “${name}”`,
  "application.withdrawn": ({ name }) => `disconnected the assistant “${name}”`,
  "payments.connected": ({ name }) => `connected the payment account ${name}`,
  "payments.disconnected": ({ name }) => `disconnected the payment account ${name}`,
  "org.changed": ({ name }) => `changed these settings: ${name.split(",").map(settingName).join(", ")}`,
  "org.exported": () => "exported all data",
  "webhook.created": ({ name }) => `added a webhook for ${name}`,
  "webhook.deleted": ({ name }) => `deleted the webhook for ${name}`,
  "automation.dial_changed": ({ name, subject }) =>
    `set the “${automationName(subject)}” automation to “${dialName(name)}”`,
  "automation.settings_changed": ({ subject }) => `changed settings for the “${automationName(subject)}” automation`,
  "customer.erased": () => "erased a guest's data",
  "conversation.erased": () => "erased a conversation"
}

const findLabel = (labels: Readonly<Record<string, { readonly name: string }>>, value: string): string =>
  labels[value]?.name ?? value

const automationName = (value: string): string => findLabel(automationLabels, value)

const dialName = (value: string): string => findLabel(autonomyLevelLabels, value)

const settingNames: { readonly [Name in keyof Operation.Input<typeof orgUpdate>]-?: string } = {
  name: "name",
  timezone: "time zone",
  currency: "currency",
  phone: "phone",
  reply_window: "reply time",
  auto_ack: "automatic acknowledgment",
  away_notice: "away notice",
  review_url: "review link",
  brief_hour: "morning brief",
  ops_daily_cap: "daily limit for the ops agent",
  quiet_from: "start of quiet hours",
  quiet_to: "end of quiet hours",
  refund_ceiling_cents: "refund limit",
  guest_changes_hours: "deadline for guest changes",
  accent: "color",
  logo_url: "logo",
  cover_url: "cover",
  confirm_email: "email confirmation",
  fees: "fees",
  cancellation_policy: "cancellation policy",
  staff_may_refund: "refunds by staff",
  units: "units"
}

const settingName = (field: string): string => new Map(Object.entries(settingNames)).get(field) ?? field
