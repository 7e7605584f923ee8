/** An org's team: its members with their invitations, roles, removal, and sign-in sessions, and the audit log. */
import { notFound } from "@trailbook/core"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { orgUpdate } from "@trailbook/core/org"
import {
  staffAudit,
  staffChangeMember,
  staffEndLogin,
  staffInvite,
  staffLogins,
  staffMembers,
  type StaffMemberView,
  staffRemoveMember
} from "@trailbook/core/staff"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { ignoreNotFound } from "../../operationCaller.ts"
import { getZoneCity } from "../../text/Format.ts"
import { getNameInitial } from "../../ui/PlaceholderImage.tsx"
import { automationLabels, autonomyLevelLabels } from "../automations/automationFields.ts"
import { ActionButton, Button, Card, CursorPager, EmptyNote, LinkList } from "../kit/elements.tsx"
import { Form, formPage, makeOperationForm } from "../kit/operationForm.tsx"
import { confirmPage, page, type PageContext, redirectTo } from "../kit/page.tsx"

const access = "staff"

/** Returns a staff member's display name, which is the email address if no name is set. */
const memberName = ({ email, name }: StaffMemberView): string => name === "" ? email : name

/** Whether a member is the only owner. The only owner's role cannot be changed. */
const isOnlyOwner = (all: ReadonlyArray<StaffMemberView>, { id, role }: StaffMemberView): boolean =>
  role === "owner" && all.every((other) => other.role !== "owner" || other.id === id)

export const teamPage = page("/team", {
  access,
  *view({ format, me, run }) {
    const { data } = yield* run(staffMembers, {})
    return {
      title: "Team",
      lead: "Owners manage access, payments, and settings. Staff handle daily bookings.",
      actions: <Button icon="plus" look="main" to="/team/invite">Invite a team member</Button>,
      body: (
        <div class="stack">
          <Card id="people" title="People">
            <ul class="rows">
              {data.map((member) => (
                <li key={member.id}>
                  <span class="who" aria-hidden="true">{getNameInitial(memberName(member))}</span>
                  <div class="grow">
                    <b dir="auto">{memberName(member)}</b>
                    <span class={member.role === "owner" ? "tag ok" : "tag"}>{member.role}</span>
                    {member.id === me.id && <span class="tag info">you</span>}
                    <p class="soft small" dir="auto">
                      {member.name === "" ? "" : `${member.email} · `}
                      {`member since ${format.longDay(member.created_at)}`}
                    </p>
                    <p class="soft small">
                      {member.notify ? "gets an email when a guest writes" : "no email when a guest writes"}
                    </p>
                    {isOnlyOwner(data, member) && (
                      <p class="soft small">This is the only owner. Make another team member an owner first.</p>
                    )}
                  </div>
                  <Button to={`/team/${member.id}`} aria-label={`Change: ${memberName(member)}`}>Change</Button>
                </li>
              ))}
            </ul>
            {!data.some(({ notify }) => notify) && (
              <p class="note pad">No team member gets an email when a guest writes. Check the inbox regularly.</p>
            )}
          </Card>
          <Card id="entry" title="Sign-in">
            <LinkList
              of={[
                ["/logins", "Signed-in browsers", "See which browsers are signed in, and sign them out."],
                [
                  "/passkeys",
                  "Passkeys",
                  "Sign in with a fingerprint, face, or security key instead of an email link."
                ],
                [
                  "/audit",
                  "Audit log",
                  "Changes to the team, keys, sign-ins, assistants, payments, and settings, and who made them."
                ]
              ]}
            />
          </Card>
        </div>
      )
    }
  }
})

const fields = {
  name: "Name",
  role: {
    label: "Role",
    hint: "Staff can view and change bookings, activities, and messages. Owners also manage the team, API keys, " +
      "payments, and data export.",
    options: [["staff", "Staff"], ["owner", "Owner"]]
  },
  notify: { label: "Email when a guest writes", hint: "Also sends an email when a payment is disputed." }
} as const

export const inviteMemberPage = formPage("/team/invite", staffInvite, {
  fields: { email: "Email address", ...fields },
  access,
  view() {
    return {
      title: "Invite a team member",
      lead: "The new team member gets a sign-in link by email.",
      class: "card pad stack narrow",
      values: { role: "staff", notify: true },
      button: "Send invitation",
      back: "/team"
    }
  },
  submit: ({ run }, input) => Effect.as(run(staffInvite, input), redirectTo("/team", "invited"))
})

/** Loads the staff member specified in the path, along with all members. */
const loadMember = ({ id, run }: PageContext) =>
  Effect.flatMap(run(staffMembers, {}), ({ data }) => {
    const member = data.find((one) => one.id === id)
    return member === undefined
      ? notFound("staff member", id.slice(0, 40))
      : Effect.succeed({ member, data, isOnly: isOnlyOwner(data, member) })
  })

const memberForm = makeOperationForm(staffChangeMember, fields)

/** A staff member's role and notifications. */
export const memberPage = page("/team/:id", {
  access,
  *view(context) {
    const { isOnly, member } = yield* loadMember(context)
    const isMe = member.id === context.me.id
    return {
      title: memberName(member),
      lead: member.name === "" ? undefined : member.email,
      body: (
        <div class="stack narrow">
          <Form of={memberForm} class="card pad stack" values={{ ...member }} button="Save" back="/team">
            {(fields) => (
              <>
                {isOnly && (
                  <p class="note">
                    {isMe ? "You are" : "This is"} the only owner. Make another team member an owner first.
                  </p>
                )}
                {fields()}
                {isMe && !isOnly && (
                  <p class="hint">
                    With the staff role, you can no longer open this page. Only an owner can change your role back.
                  </p>
                )}
              </>
            )}
          </Form>
          {!isOnly && (
            <p>
              <Button look="bad" to={`/team/${member.id}/remove`}>Remove from the team</Button>
            </p>
          )}
        </div>
      )
    }
  },
  /** Owners who give up their role can no longer see the team, so redirect them to another page. */
  *submit(context) {
    const { id, me, run } = context
    const member = yield* run(staffChangeMember, { ...yield* memberForm.read(context), id })
    return redirectTo(member.id === me.id && member.role === "staff" ? "" : "/team", "saved")
  }
})

export const removeMemberPage = confirmPage("/team/:id/remove", {
  access,
  *view(context) {
    const { data, isOnly, member } = yield* loadMember(context)
    const isMe = member.id === context.me.id
    const notifiedCount = data.filter(({ id, notify }) => notify && id !== member.id).length
    const head = {
      title: isMe ? "Remove yourself from the team?" : `Remove ${memberName(member)} from the team?`,
      lead: member.name === "" ? undefined : member.email,
      isLive: true
    }
    if (isOnly) {
      return {
        ...head,
        reason: "The only owner cannot be removed. Make another team member an owner first.",
        back: "/team",
        backLabel: "Go back"
      }
    }
    return {
      ...head,
      happens: [
        `${isMe ? "You are" : "This person is"} signed out everywhere immediately and cannot sign in again.`,
        "Bookings, notes, and messages are kept. The audit log no longer shows this person's name.",
        "Assistants that this person connected are disconnected. API keys keep working, so revoke the keys that this " +
        "person knows.",
        ...member.notify && notifiedCount === 0 ? ["No other team member gets an email when a guest writes."] : []
      ],
      button: isMe ? "Remove myself" : "Remove from the team",
      back: `/team/${member.id}`
    }
  },
  submit: ({ id, me, run }) =>
    Effect.map(
      run(staffRemoveMember, { id }),
      (removedMember) => removedMember.id === me.id ? "/sign-in" : redirectTo("/team", "left")
    )
})

export const loginsPage = page("/logins", {
  access,
  *view({ format, login, run }) {
    const { data } = yield* run(staffLogins, {})
    return {
      title: "Signed-in browsers",
      lead: "Sign out a browser to require a new sign-in.",
      body: (
        <section class="card" aria-label="Signed-in browsers">
          <ul class="rows">
            {data.map(({ device, email, id, last_used_at }) => (
              <li key={id}>
                <div class="grow">
                  <b dir="auto">{email}</b>
                  {id === login.id && <span class="tag ok">this browser</span>}
                  <p class="soft small">{device}</p>
                  <p class="soft small">last used on {format.day(last_used_at)}</p>
                </div>
                {id !== login.id && (
                  <ActionButton look="bad" to={`/logins/${id}/end`} aria-label={`Sign out: ${email}`}>
                    Sign out
                  </ActionButton>
                )}
              </li>
            ))}
          </ul>
        </section>
      )
    }
  }
})

export const endLoginPage = page("/logins/:id/end", {
  access,
  submit: ({ id, run }) => Effect.as(ignoreNotFound(run(staffEndLogin, { id })), redirectTo("/logins", "ended"))
})

/** The org's audit log, newest first. */
export const auditPage = page("/audit", {
  access,
  *view({ format, org, query, run }) {
    const { data, next_cursor: next } = yield* run(staffAudit, { limit: 50, cursor: query("cursor") })
    const days = Arr.groupBy(data, ({ at }) => format.localDate(at))
    return {
      title: "Audit log",
      lead:
        `Changes to access, payments, settings, webhooks, and automations, plus data exports and erasures. Times are in ${
          getZoneCity(org.timezone)
        } time.`,
      body: (
        <div class="stack">
          {data.length === 0 && (
            <section class="card" aria-label="Changes">
              <EmptyNote>No changes yet.</EmptyNote>
            </section>
          )}
          {Object.entries(days).map(([date, entries]) => (
            <Card key={date} id={`d${date}`} title={format.longDay(entries[0].at)}>
              <ul class="rows">
                {entries.map((entry) => (
                  <li key={entry.id}>
                    <span class="soft num when">{format.time(entry.at)}</span>
                    <span class="grow" dir="auto">{describeAuditEntry(entry)}</span>
                  </li>
                ))}
              </ul>
            </Card>
          ))}
          <CursorPager next={next} />
        </div>
      )
    }
  }
})

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
    `set the “${automationName(subject)}” automation to “${findLabel(autonomyLevelLabels, name)}”`,
  "automation.settings_changed": ({ subject }) => `changed settings for the “${automationName(subject)}” automation`,
  "customer.erased": () => "erased a guest's data",
  "conversation.erased": () => "erased a conversation"
}

const findLabel = (labels: Readonly<Record<string, { readonly name: string }>>, value: string): string =>
  labels[value]?.name ?? value

const automationName = (value: string): string => findLabel(automationLabels, value)

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
