import { type Role, roles } from "@trailbook/core/staff/StaffMember"
import { Field } from "../../ui/Field.tsx"
import { Check } from "../parts/Check.tsx"
import { type Mistakes, mistakesOf } from "../parts/Mistakes.tsx"
import { Select } from "../parts/Select.tsx"
import type { Refused } from "../View.ts"

/**
 * What was wrong with what was said of somebody.
 *
 * @category constructors
 */
export const memberMistakes = (refused: Refused | undefined): Mistakes =>
  mistakesOf(refused, { email: "E-mail address", name: "Name", role: "Role" })

/**
 * What may be said of somebody: name, role, and whether they are mailed when a guest writes.
 *
 * @category views
 */
export const MemberFields = (
  { mistakes, typed }: {
    readonly mistakes: Mistakes
    readonly typed: { readonly name: string; readonly role: string; readonly notify: boolean }
  }
) => (
  <>
    <Field
      name="name"
      label="Name"
      optional="optional"
      value={typed.name}
      error={mistakes.of("name")}
      input={{ maxLength: 200, autocomplete: "off", dir: "auto" }}
    />
    <Select
      name="role"
      label="Role"
      hint="Staff see and change bookings, offerings and messages. Owners also decide about people, keys, money and the export."
      value={typed.role}
      error={mistakes.of("role")}
      options={[["staff", "Staff"], ["owner", "Owner"]]}
    />
    <Check
      name="notify"
      label="Gets a mail when a guest writes"
      hint="And when a guest's bank wants a payment back."
      checked={typed.notify}
    />
  </>
)

/**
 * The role that was chosen.
 *
 * @category parsing
 */
export const roleOf = (sent: string | undefined): Role | undefined => roles.find((role) => role === sent)
