import { customersUpsert } from "@trailbook/core/customer/customerOperations"
import * as Effect from "effect/Effect"
import { Field } from "../../ui/Field.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageView } from "../Page.ts"
import { FormButtons } from "../parts/FormButtons.tsx"
import { FormErrorNote, makeForm } from "../parts/FormErrors.tsx"
import { GuestFields, labels } from "./GuestFields.tsx"
import { givenIn } from "./guestForm.ts"

/** Creates a guest without a booking. */
export const view: PageView = ({ refused, shown: { site } }) => {
  const form = makeForm(refused, labels, {})
  return Effect.succeed({
    title: "Add a guest",
    part: "guests",
    isLive: false,
    lead: "No email is sent. Guests who book are added automatically.",
    body: (
      <form class="card pad stack form" method="post" action={site.link("/dashboard/guests/new")} data-once="">
        <FormErrorNote of={form.mistakes} />
        <Field
          {...form.field("email")}
          hint="Identifies the guest. If a guest with this address exists, these details replace the saved ones."
          input={{ type: "email", maxLength: 254, autocomplete: "off" }}
        />
        <GuestFields of={form} />
        <FormButtons site={site} confirm="Add guest" back="/dashboard/guests" backLabel="Cancel" />
      </form>
    )
  })
}

export const act: FormAction = ({ form, run }) =>
  Effect.gen(function*() {
    const { id } = yield* run(customersUpsert, { email: form["email"] ?? "", ...yield* givenIn(form) })
    return withFlash(`/dashboard/guests/${id}`, "saved")
  })
