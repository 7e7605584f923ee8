/** Words of passkeys. */
export const passkeyEnglish = {
  signIn: {
    title: "Sign in with a passkey",
    lead: "Your device asks for your fingerprint, your face or its PIN. Nothing is typed, and nothing is mailed.",
    button: "Use a passkey",
    link: "Sign in with a passkey",
    mail: "Have a link mailed instead",
    wrong: "That passkey does not open anything here. Try another, or have a link mailed."
  },
  asking: {
    text: "Your device asks you now.",
    wrong: "The device gave no answer.",
    unknown: "This browser knows no passkeys.",
    noScript: "Passkeys need JavaScript. Have a link mailed instead.",
    again: "Ask again",
    back: "Back"
  }
}

export const passkeySpanish: typeof passkeyEnglish = {
  signIn: {
    title: "Entrar con una llave de acceso",
    lead: "Su dispositivo le pide la huella, la cara o su PIN. No hay que escribir nada ni esperar un correo.",
    button: "Usar una llave de acceso",
    link: "Entrar con una llave de acceso",
    mail: "Recibir un enlace por correo",
    wrong: "Esa llave no abre nada aquí. Pruebe con otra o pida un enlace por correo."
  },
  asking: {
    text: "Su dispositivo le pregunta ahora.",
    wrong: "El dispositivo no ha contestado.",
    unknown: "Este navegador no conoce las llaves de acceso.",
    noScript: "Las llaves de acceso necesitan JavaScript. Pida un enlace por correo.",
    again: "Preguntar otra vez",
    back: "Volver"
  }
}
