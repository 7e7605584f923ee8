// Requests a passkey from the browser and submits the response.
export {}

const form = document.querySelector<HTMLFormElement>("form[data-passkey]")
const again = form?.querySelector<HTMLButtonElement>("[data-ask]")
const answer = form?.querySelector<HTMLInputElement>("[name=answer]")

const show = (which: string, isShown: boolean): void => {
  form?.querySelector<HTMLElement>(`[data-${which}]`)?.toggleAttribute("hidden", !isShown)
}

const ask = async (): Promise<void> => {
  if (!form || !answer) return
  show("wrong", false)
  if (!("PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential)) {
    show("unknown", true)
    return
  }
  const options = JSON.parse(form.dataset["options"] ?? "{}")
  try {
    const credential = form.dataset["passkey"] === "create"
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
    if (!(credential instanceof PublicKeyCredential)) throw new Error("no passkey")
    answer.value = JSON.stringify(credential.toJSON())
    form.submit()
  } catch {
    // The user declined, the device has no passkey, or the browser requires a click first.
    show("wrong", true)
    show("ask", true)
    again?.focus()
  }
}

show("plain", false)
show("asking", true)
again?.addEventListener("click", ask)
void ask()
