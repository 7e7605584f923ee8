/**
 * The logo and cover that an outfitter uploads. The settings page contains the forms. They are submitted to a separate
 * page, because forms with files use a different encoding. After an error, that page shows the forms again.
 */
import { hostConflict, invalid } from "@trailbook/core"
import { staffAddImage } from "@trailbook/core/operation"
import { orgUpdate } from "@trailbook/core/org"
import { imageKinds } from "@trailbook/core/org/Org"
import type { Form } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import { isUploadedImage } from "../../ui/href.ts"
import { listUploads } from "../formUploads.ts"
import { Button, Field } from "../kit/elements.tsx"
import { page, redirectTo, usePage } from "../kit/page.tsx"
import { FormErrorNote, makeFormState } from "../parts/FormErrors.tsx"

const labels = { logo: "Logo file", cover: "Cover file" } as const

const hints = {
  logo: "A square picture, shown next to your name. JPEG, PNG, or WebP, up to 10 MB.",
  cover: "A wide picture, shown above your activities. JPEG, PNG, or WebP, up to 10 MB."
} as const

/** Returns the kind of the image whose form was submitted. */
const parseKind = (form: Form) => form["do"]?.endsWith("cover") === true ? "cover" : "logo"

/** A form for each image, with the current image if one was uploaded. */
export const ImageForms = () => {
  const { org, rejection, site } = usePage()
  return (
    <section class="card images" aria-labelledby="images-title">
      <header>
        <h2 id="images-title">Logo and cover</h2>
      </header>
      {imageKinds.map((kind) => {
        const name = `${kind}_file`
        const rejectedForm = rejection?.form["do"] !== undefined && parseKind(rejection.form) === kind
          ? rejection
          : undefined
        const label = labels[kind]
        const { field, mistakes } = makeFormState(rejectedForm, { [name]: label }, {}, { file: name })
        const url = org[`${kind}_url`]
        return (
          <form
            key={kind}
            class="pad stack"
            method="post"
            action={site.link("/dashboard/settings/images")}
            encType="multipart/form-data"
            data-once=""
          >
            <FormErrorNote of={mistakes} title="Not uploaded. Check these fields:" />
            {isUploadedImage(url) && <img class={kind} src={site.link(url)} alt={`Current ${kind}`} />}
            <Field
              {...field(name)}
              label={label}
              value=""
              hint={hints[kind]}
              input={{ name: "files", type: "file", accept: "image/jpeg,image/png,image/webp" }}
            />
            <p class="acts">
              <button class="btn main" name="do" value={`add ${kind}`}>{`Upload ${kind}`}</button>
              {isUploadedImage(url) && (
                <button class="btn bad" name="do" value={`remove ${kind}`} formNoValidate>{`Remove ${kind}`}</button>
              )}
            </p>
          </form>
        )
      })}
    </section>
  )
}

export const imagesPage = page("/settings/images", {
  access: "admin",
  uploads: true,
  view: () => ({
    title: "Logo and cover",
    actions: <Button to="/settings">Settings</Button>,
    body: (
      <div class="stack form">
        <ImageForms />
      </div>
    )
  }),
  *submit({ form, run }) {
    const kind = parseKind(form)
    if (form["do"] === `remove ${kind}`) {
      yield* run(orgUpdate, kind === "logo" ? { logo_url: null } : { cover_url: null })
      return `${redirectTo("/settings", "image_removed")}#content`
    }
    const file = listUploads(form).at(-1)
    if (file === undefined) return yield* invalid("file: choose a picture")
    // If the server lacks a required feature, the error message appears in the form instead of on an error page.
    yield* Effect.mapError(
      run(staffAddImage, { kind, attachment_id: file.id }),
      (error) => error.code === "unavailable" ? hostConflict("files_unavailable", error.message) : error
    )
    return `${redirectTo("/settings", "image_added")}#content`
  }
})
