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
  },
  list: {
    title: "Your passkeys",
    none: "You have none. With a passkey you sign in by your fingerprint, your face or the PIN of your device.",
    added: (date: string) => `added on ${date}`,
    used: (date: string | null) => date === null ? "never used" : `last used on ${date}`,
    remove: "Remove",
    removeNamed: (name: string) => `Remove ${name}`,
    name: "Name of the device",
    hint: "Such as “Phone” or “Office laptop”, for you to tell them apart.",
    add: "Add a passkey",
    adding: "Add a passkey",
    nowhere: "Passkeys need an address with a name and https, or localhost. This one has neither.",
    back: "Back to the dashboard",
    wrong: "The device did not answer in time. Try again.",
    known: "This device has a passkey here already, or you have as many as there can be."
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
  },
  list: {
    title: "Sus llaves de acceso",
    none: "No tiene ninguna. Con una llave de acceso entra con la huella, la cara o el PIN de su dispositivo.",
    added: (date) => `añadida el ${date}`,
    used: (date) => date === null ? "sin usar" : `usada por última vez el ${date}`,
    remove: "Quitar",
    removeNamed: (name) => `Quitar ${name}`,
    name: "Nombre del dispositivo",
    hint: "Por ejemplo «Teléfono» o «Portátil de la oficina», para distinguirlas.",
    add: "Añadir una llave de acceso",
    adding: "Añadir una llave de acceso",
    nowhere: "Las llaves de acceso necesitan una dirección con nombre y https, o localhost. Esta no lo es.",
    back: "Volver al panel",
    wrong: "El dispositivo no contestó a tiempo. Inténtelo otra vez.",
    known: "Este dispositivo ya tiene una llave aquí, o ya tiene usted todas las que puede haber."
  }
}
