/** Access for programs: an overview of API keys, webhooks, and connected applications, and the pages for API keys. */
import { notFound } from "@trailbook/core"
import { scopes, staffCreateKey, staffKeys, staffRevokeKey } from "@trailbook/core/actor"
import type { Operation } from "@trailbook/core/operation/Operation"
import { type ApiKeyView, staffApplications } from "@trailbook/core/staff"
import * as Instant from "@trailbook/core/time/Instant"
import { webhooksList } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import { getSiteRoot } from "../../Site.ts"
import { Button, Card, EmptyNote, ScrollContainer, SecretField, Table } from "../kit/elements.tsx"
import { formPage } from "../kit/operationForm.tsx"
import { confirmPage, page, redirectTo, usePage } from "../kit/page.tsx"
import { WebhookList } from "./webhooks.tsx"

export const developersPage = page("/developers", {
  access: "staff",
  *view({ run, site }) {
    const { data: keys } = yield* run(staffKeys, {})
    const { data: webhooks } = yield* run(webhooksList, {})
    const { data: applications } = yield* run(staffApplications, {})
    return {
      title: "Developers",
      lead: "API keys, webhooks, and connected applications.",
      actions: (
        <>
          <a class="btn" href={site.link("/reference")}>API reference</a>
          <Button icon="plus" look="main" to="/developers/keys/new">Create key</Button>
        </>
      ),
      body: (
        <div class="stack">
          <ApiKeyList keys={keys} />
          <WebhookList webhooks={webhooks} />
          <Applications applications={applications} />
        </div>
      )
    }
  }
})

/** A short list of authorized OAuth clients, which are managed on a separate page. */
const Applications = (
  { applications }: { readonly applications: Operation.Output<typeof staffApplications>["data"] }
) => {
  const { format } = usePage()
  return (
    <Card
      id="applications"
      title="Connected applications"
      headerEnd={<Button look="end" to="/applications">Manage applications</Button>}
    >
      {applications.length === 0 && (
        <EmptyNote>
          No applications are connected. Assistants request access, and an owner approves the request.
        </EmptyNote>
      )}
      <ul class="rows">
        {applications.map(({ client_id, id, last_used_at, name, scopes }) => (
          <li key={id}>
            <div class="grow">
              <b dir="auto">{name === "" ? client_id : name}</b>
              <p class="soft small">
                {scopes.join(", ")} ·{" "}
                {last_used_at === null ? "never used" : `last used on ${format.longDay(last_used_at)}`}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const access = "staff"

/** Active keys, followed by revoked and expired keys. */
const ApiKeyList = ({ keys }: { readonly keys: ReadonlyArray<ApiKeyView> }) => {
  const { clock: { now } } = usePage()
  const isActive = ({ expires_at, revoked_at }: ApiKeyView) =>
    revoked_at === null && (expires_at === null || (Instant.parse(expires_at) ?? now) > now)
  const endedKeys = keys.filter((key) => !isActive(key))
  return (
    <Card id="keys" title="API keys">
      {endedKeys.length === keys.length
        ? <EmptyNote>No API keys. Create one key per application so that you can revoke each key separately.</EmptyNote>
        : <KeyTable keys={keys.filter(isActive)} label="Active keys" isActive />}
      {endedKeys.length > 0 && (
        <details class="over">
          <summary class="pad soft small">Expired and revoked keys ({endedKeys.length})</summary>
          <KeyTable keys={endedKeys} label="Expired and revoked keys" isActive={false} />
        </details>
      )}
    </Card>
  )
}

const KeyTable = ({ isActive, keys, label }: {
  readonly keys: ReadonlyArray<ApiKeyView>
  readonly label: string
  readonly isActive: boolean
}) => {
  const { format } = usePage()
  return (
    <Table
      label={label}
      kind="stacked"
      heads={["Name", "Key", "Scopes and use", isActive ? [undefined, <span class="sr">Actions</span>] : "Ended"]}
    >
      {keys.map(({ expires_at, id, last_used_at, name, revoked_at, scopes, ...key }) => (
        <tr key={id}>
          <td class="named" dir="auto">
            <b>{name}</b>
          </td>
          <td>
            <code>{keyHint(key)}</code>
          </td>
          <td>
            {scopes.join(", ")}
            <p class="soft small">
              {last_used_at === null ? "Never used" : `Last used ${format.longDay(last_used_at)}`}
              {isActive && expires_at !== null && ` · Expires ${format.longDay(expires_at)}`}
            </p>
          </td>
          <td class={isActive ? "r" : undefined}>
            {isActive
              ? <Button look="bad" to={`/developers/keys/${id}/revoke`} aria-label={`Revoke: ${name}`}>Revoke</Button>
              : revoked_at === null
              ? expires_at !== null && `Expired ${format.longDay(expires_at)}`
              : `Revoked ${format.longDay(revoked_at)}`}
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** Returns a hint that identifies a key without revealing it. */
const keyHint = ({ last4, mode }: Pick<ApiKeyView, "last4" | "mode">): string => `tb_${mode}_…${last4}`

const scopeHints = {
  read: ["Read", "Activities, availability, bookings, guests, and messages."],
  write: ["Write", "Create, move, and cancel bookings, change activities, and message guests."],
  admin: ["Admin", "Settings, webhooks, and the data export."]
} as const

export const newKeyPage = formPage("/developers/keys/new", staffCreateKey, {
  fields: {
    name: { label: "Name", hint: "The application that uses the key, such as “Website”." },
    scopes: {
      label: "Permissions",
      item: "scope",
      options: scopes.map((scope) => [scope, ...scopeHints[scope]] as const)
    },
    expires_at: {
      label: "Expires after",
      name: "expires",
      options: [["", "Never"], ["30", "30 days"], ["90", "90 days"], ["365", "1 year"]]
    }
  },
  access,
  view() {
    return {
      title: "Create an API key",
      lead: "Create one key per application, so that you can see when each key was used and revoke it separately.",
      class: "card pad stack narrow",
      values: { scopes: ["read", "write"] },
      button: "Create key",
      back: "/developers"
    }
  },
  /** Creates a key and shows it once. */
  *submit({ clock: { now }, request, run, site }, { expires_at: days, ...input }) {
    const expiresAt = Instant.addMinutes(now, Number(days) * 24 * 60)
    const { api_key: key, name } = yield* run(staffCreateKey, {
      ...input,
      expires_at: ["30", "90", "365"].includes(days ?? "") ? Instant.format(expiresAt) : undefined
    })
    const root = getSiteRoot(site, request) ?? ""
    return {
      title: `API key for ${name}`,
      body: (
        <div class="stack narrow">
          <SecretField label="Your API key" secret={key}>
            Copy this key now. You will not see it again, because only a hash is stored. Anyone with the key can use it.
            Store it with your application's secrets, and never put it in a web page.
          </SecretField>
          <Card id="use" title="How to use the key" pad="stack">
            <p>Send the key with each request:</p>
            <ScrollContainer label="Example request">
              <pre><code dir="ltr">{`export TRAILBOOK_KEY=${key.slice(0, 8)}…\ncurl -H "Authorization: Bearer $TRAILBOOK_KEY" ${root}/v1/offerings`}</code></pre>
            </ScrollContainer>
            <p class="acts">
              <a class="btn" href={site.link("/reference")}>API reference</a>
              <Button look="main" to="/developers">Done</Button>
            </p>
          </Card>
        </div>
      )
    }
  }
})

export const revokeKeyPage = confirmPage("/developers/keys/:id/revoke", {
  access,
  *view({ format, id, run }) {
    const { data } = yield* run(staffKeys, {})
    const key = data.find((one) => one.id === id)
    if (key === undefined) return yield* notFound("API key", id.slice(0, 40))
    const usedAt = key.last_used_at
    return {
      title: `Revoke ${key.name}?`,
      lead: <code>{keyHint(key)}</code>,
      isLive: true,
      happens: [
        "Requests with this key are rejected immediately.",
        usedAt === null
          ? "This key has never been used."
          : `This key was last used on ${format.longDay(usedAt)}, at ${format.time(usedAt)} (${format.zone(usedAt)}).`,
        "This cannot be undone. The application will need a new key."
      ],
      button: "Revoke key",
      back: "/developers"
    }
  },
  submit: ({ id, run }) => Effect.as(run(staffRevokeKey, { id }), redirectTo("/developers", "revoked"))
})
