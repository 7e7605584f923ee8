/**
 * An offering's photos, which staff members upload, sort, describe, and remove. Every button submits a form, so the
 * page works without scripts.
 */
import { invalid } from "@trailbook/core"
import { offeringsGet, offeringsSetPhotos, type PhotoView } from "@trailbook/core/offering"
import { maxPhotos } from "@trailbook/core/offering/Offering"
import { dashboardAddPhoto } from "@trailbook/core/operation"
import type { Form } from "@trailbook/http/request/formBody"
import { listUploads } from "../formUploads.ts"
import { Button, EmptyNote, Field } from "../kit/elements.tsx"
import { page, redirectTo, usePage } from "../kit/page.tsx"
import { FormErrorNote, makeFormState } from "../parts/FormErrors.tsx"

export const photosPage = page("/offerings/:id/photos", {
  uploads: true,
  *view({ id, org, rejection, run, site }) {
    const { active, name, photos } = yield* run(offeringsGet, { id })
    const { field, mistakes } = makeFormState(rejection, { files: "Photo", alt: "Description" }, {}, { file: "files" })
    return {
      title: "Photos",
      lead: <span dir="auto">{name}</span>,
      actions: (
        <>
          <Button to={`/offerings/${id}`}>Settings</Button>
          {active && <Button href={site.link(`/book/${org.slug}/${id}`)}>View booking page</Button>}
        </>
      ),
      body: (
        <div class="two">
          {photos.length === 0
            ? (
              <section class="card" aria-label="Photos">
                <EmptyNote>No photos yet. Add photos to help guests choose.</EmptyNote>
              </section>
            )
            : (
              <form class="card" method="post" encType="multipart/form-data" data-once="">
                <header>
                  <h2>{`${photos.length} of ${maxPhotos} photos`}</h2>
                </header>
                <ol class="photos">
                  {photos.map((photo, at) => <Row key={photo.id} at={at} of={photos.length} photo={photo} />)}
                </ol>
                <p class="pad">
                  <button class="btn main" name="do" value="save">Save descriptions</button>
                </p>
              </form>
            )}
          {photos.length < maxPhotos && (
            <form class="card" method="post" encType="multipart/form-data" data-once="">
              <header>
                <h2>Add a photo</h2>
              </header>
              <div class="pad stack">
                <FormErrorNote of={mistakes} title="Not added. Check these fields:" />
                <Field
                  {...field("files")}
                  value=""
                  hint="JPEG, PNG, or WebP, up to 10 MB. Location and camera data are removed."
                  input={{ type: "file", accept: "image/jpeg,image/png,image/webp" }}
                />
                <Field
                  {...field("alt")}
                  hint="Describe the photo for guests who cannot see it."
                  input={{ maxLength: 200, dir: "auto" }}
                />
                <p>
                  <button class="btn main" name="do" value="add">Add photo</button>
                </p>
              </div>
            </form>
          )}
        </div>
      )
    }
  },
  *submit({ form, id, run }) {
    const [action = "", photo = ""] = (form["do"] ?? "").split(" ")
    if (action === "add") {
      const file = listUploads(form).at(-1)
      if (file === undefined) return yield* invalid("files: choose a photo")
      yield* run(dashboardAddPhoto, { id, attachment_id: file.id, alt: form["alt"] ?? "" })
      return redirectTo(`/offerings/${id}/photos`, "photo_added")
    }
    const { photos } = yield* run(offeringsGet, { id })
    const photoEntries = photos.map(({ alt, id }) => ({ id, alt: form[`alt_${id}`] ?? alt }))
    yield* run(offeringsSetPhotos, { id, photos: reorder(photoEntries, action, photo) })
    if (action === "save" || action === "remove") {
      return redirectTo(`/offerings/${id}/photos`, action === "save" ? "saved" : "photo_removed")
    }
    return redirectTo(`/offerings/${id}/photos#photo-${photo}`)
  }
})

type ListedPhoto = Pick<PhotoView, "id" | "alt">

/** Removes a photo or moves it by one position. */
const reorder = (photos: ReadonlyArray<ListedPhoto>, action: string, id: string): ReadonlyArray<ListedPhoto> => {
  const at = photos.findIndex((photo) => photo.id === id)
  const otherPhotos = photos.filter((photo) => photo.id !== id)
  if (at < 0 || action === "save") return photos
  return action === "remove"
    ? otherPhotos
    : otherPhotos.toSpliced(Math.max(0, at + (action === "later" ? 1 : -1)), 0, ...photos.slice(at, at + 1))
}

const Row = ({ at, of, photo }: { readonly at: number; readonly of: number; readonly photo: PhotoView }) => {
  const { rejection, site } = usePage()
  const { alt, height, id, url_800, width } = photo
  const values: Form = rejection?.form ?? {}
  const name = `Photo ${at + 1}`
  return (
    <li id={`photo-${id}`}>
      <img src={site.link(`/${url_800.slice(1)}`)} alt={alt} width={width} height={height} loading="lazy" />
      <div class="stack tight">
        <Field
          name={`alt_${id}`}
          label={`${name}: description`}
          value={values[`alt_${id}`] ?? alt}
          input={{ maxLength: 200, dir: "auto" }}
        />
        <p class="acts">
          {at > 0 && (
            <button class="btn" name="do" value={`earlier ${id}`} aria-label={`${name}: earlier`}>Earlier</button>
          )}
          {at < of - 1 && (
            <button class="btn" name="do" value={`later ${id}`} aria-label={`${name}: later`}>Later</button>
          )}
          <button class="btn bad" name="do" value={`remove ${id}`} aria-label={`${name}: remove`} formNoValidate>
            Remove
          </button>
        </p>
      </div>
    </li>
  )
}
