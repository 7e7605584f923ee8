import { roles } from "@trailbook/core/staff/StaffMember"
import type { Form } from "@trailbook/http/form"
import { Field } from "../../ui/Field.tsx"
import type { RejectedForm } from "../Page.ts"
import { Check } from "../parts/Check.tsx"
import { type FormView, makeForm } from "../parts/FormErrors.tsx"
import { Select } from "../parts/Select.tsx"

/** Staff member as form state. */
export const memberForm = (refused: RejectedForm | undefined, fresh: Form & { readonly role: string }) => {
  const sent = refused && { ...refused, form: { role: fresh.role, ...refused.form } }
  return makeForm(sent, { email: "Email address", name: "Name", role: "Role" }, fresh)
}

/** Fields of a staff member: name, role, and email notifications for guest messages. */
export const MemberFields = (
  { of: { field, typed } }: { readonly of: FormView<"email" | "name" | "role"> }
) => (
  <>
    <Field
      {...field("name")}
      optional="optional"
      input={{ maxLength: 200, autocomplete: "off", dir: "auto" }}
    />
    <Select
      {...field("role")}
      hint="Staff can view and change bookings, activities, and messages. Owners also manage the team, API keys, payments, and data export."
      options={[["staff", "Staff"], ["owner", "Owner"]]}
    />
    <Check
      name="notify"
      label="Email when a guest writes"
      hint="Also when a payment is disputed."
      checked={typed["notify"] === "on"}
    />
  </>
)

/** Submitted fields as operation input. */
export const memberIn = (form: Form) => {
  const role = roles.find((role) => role === form["role"])
  return { name: form["name"] ?? "", notify: form["notify"] === "on", ...(role === undefined ? {} : { role }) }
}
