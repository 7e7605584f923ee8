/** The text for the passkey pages. */
export const passkeyEnglish = {
  signIn: {
    title: "Sign in with a passkey",
    lead: "Your device will ask for your fingerprint, face, or PIN. No email is needed.",
    button: "Use a passkey",
    link: "Sign in with a passkey",
    mail: "Email me a link instead",
    wrong: "This passkey is not registered here. Try another passkey, or request a link by email."
  },
  asking: {
    text: "Follow the prompt on your device.",
    wrong: "Your device did not respond.",
    unknown: "This browser does not support passkeys.",
    noScript: "Passkeys require JavaScript. Request a link by email instead.",
    again: "Try again",
    back: "Back"
  }
}

export const passkeySpanish: typeof passkeyEnglish = {
  signIn: {
    title: "Iniciar sesión con una llave de acceso",
    lead: "Su dispositivo le pedirá su huella, su rostro o su PIN. No hace falta un correo.",
    button: "Usar una llave de acceso",
    link: "Iniciar sesión con una llave de acceso",
    mail: "Recibir un enlace por correo",
    wrong: "Esta llave de acceso no está registrada aquí. Pruebe con otra o pida un enlace por correo."
  },
  asking: {
    text: "Siga las instrucciones de su dispositivo.",
    wrong: "El dispositivo no respondió.",
    unknown: "Este navegador no admite llaves de acceso.",
    noScript: "Las llaves de acceso requieren JavaScript. Pida un enlace por correo.",
    again: "Intentar de nuevo",
    back: "Volver"
  }
}
