import type { KeyView } from "@trailbook/core/staff/KeyView"
import * as Instant from "@trailbook/core/time/Instant"
import type { DashboardContext } from "../Page.ts"
import { Card } from "../parts/Card.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Table } from "../parts/Table.tsx"

interface KeysProps {
  readonly shown: DashboardContext
  readonly keys: ReadonlyArray<KeyView>
  readonly now: Instant.Instant
}

/** Active keys, followed by revoked and expired keys. */
export const Keys = ({ keys, now, shown }: KeysProps) => {
  const isOpen = ({ expires_at, revoked_at }: KeyView) =>
    revoked_at === null && (expires_at === null || (Instant.parse(expires_at) ?? now) > now)
  const open = keys.filter(isOpen)
  const over = keys.filter((key) => !isOpen(key))
  return (
    <Card id="keys" title="API keys">
      {open.length === 0
        ? <Empty>No API keys. Create one key per application so that you can revoke it separately.</Empty>
        : <KeyTable shown={shown} keys={open} label="Active keys" isOpen />}
      {over.length > 0 && (
        <details class="over">
          <summary class="pad soft small">Expired and revoked keys ({over.length})</summary>
          <KeyTable shown={shown} keys={over} label="Expired and revoked keys" isOpen={false} />
        </details>
      )}
    </Card>
  )
}

const KeyTable = (
  { isOpen, keys, label, shown: { format, site } }: Pick<KeysProps, "shown" | "keys"> & {
    readonly label: string
    readonly isOpen: boolean
  }
) => (
  <Table
    label={label}
    heads={[
      "Name",
      "Key",
      "Scopes",
      ["short", "Last used"],
      isOpen ? [undefined, <span class="sr">Actions</span>] : "Ended"
    ]}
  >
    {keys.map((key) => (
      <tr key={key.id}>
        <th scope="row" class="cell" dir="auto">{key.name}</th>
        <td class="short">
          <code>{keyHint(key)}</code>
        </td>
        <td>
          {key.scopes.join(", ")}
          {isOpen && key.expires_at !== null && <p class="soft small">until {format.longDay(key.expires_at)}</p>}
        </td>
        <td class={key.last_used_at === null ? "soft" : undefined}>
          {key.last_used_at === null ? "never" : format.longDay(key.last_used_at)}
        </td>
        <td class={isOpen ? "r" : undefined}>
          {isOpen
            ? (
              <a
                class="btn bad"
                href={site.link(`/dashboard/developers/keys/${key.id}/revoke`)}
                aria-label={`Revoke: ${key.name}`}
              >
                Revoke
              </a>
            )
            : key.revoked_at === null
            ? key.expires_at !== null && `ended ${format.longDay(key.expires_at)}`
            : `revoked ${format.longDay(key.revoked_at)}`}
        </td>
      </tr>
    ))}
  </Table>
)

/** Identifies a key without disclosing it. */
export const keyHint = ({ last4, mode }: Pick<KeyView, "mode" | "last4">): string => `tb_${mode}_…${last4}`
