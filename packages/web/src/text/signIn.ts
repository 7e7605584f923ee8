/** The text for the sign-in and OAuth authorization pages. */
export const signInEnglish = {
  title: "Sign in",
  lead: "Enter your email address to get a sign-in link.",
  leadsTo: {
    dashboard: "The dashboard shows your bookings, calendar, inbox, and settings.",
    assistant: "After you sign in, you can choose what the assistant can do."
  },
  email: "Email address",
  wrongEmail: "Enter one email address, such as ann@example.com.",
  send: "Email me a link",
  sent: {
    title: "Check your email",
    text: (email: string) =>
      `If ${email} belongs to a staff member, we sent a sign-in link to it. The link works once and expires in 15 minutes.`,
    again: "No email? Check your spam folder or request a new link."
  },
  link: {
    title: "Confirm sign-in",
    text: (email: string) => `You are signing in as ${email}.`
  },
  over: {
    title: "This link has expired",
    text: "Sign-in links work once and expire after 15 minutes, or after 7 days for invitations. Request a new link.",
    button: "Request a new link"
  },
  nowhere: {
    title: "Sign-in is not set up",
    text: "The server has no public URL. Start the server with --public-url."
  },
  out: "Sign out",
  as: (email: string) => `Signed in as ${email}`,
  connect: {
    title: (org: string) => `Connect an assistant to ${org}?`,
    at: "Assistant at",
    names: (name: string) => `The assistant identifies itself as “${name}”. This name is not verified.`,
    back: (host: string) => `You will then return to ${host}.`,
    local:
      "This request comes from an application on this computer. Continue only if you started that application yourself.",
    may: "Permissions",
    scopes: {
      read: { word: "View bookings", what: "activities, availability, and bookings" },
      write: { word: "Change bookings", what: "create, move, and cancel bookings, and edit activities" },
      admin: { word: "Administer", what: "change settings, and export all data if guest data is selected" }
    },
    personal: {
      word: "View guest data",
      what: "names, email addresses, phone numbers, notes, messages, and ops agent proposals"
    },
    allow: "Connect assistant",
    deny: "Cancel",
    ends: "You can disconnect it at any time.",
    tick: "Select at least one permission.",
    ownersOnly: {
      title: "Ask an owner",
      text: (org: string) => `Only owners of ${org} can connect an assistant.`
    },
    onTo: { title: "Returning to the assistant", link: "Continue to the assistant" },
    wrong: {
      title: "This assistant cannot be connected",
      text: "The request is not valid. Send this error to the assistant's developer:",
      back: (host: string) => `Return to ${host}`
    }
  }
}

export const signInSpanish: typeof signInEnglish = {
  title: "Iniciar sesión",
  lead: "Escriba su correo electrónico para recibir un enlace de inicio de sesión.",
  leadsTo: {
    dashboard: "El panel muestra sus reservas, calendario, mensajes y configuración.",
    assistant: "Después de iniciar sesión, podrá elegir qué puede hacer el asistente."
  },
  email: "Correo electrónico",
  wrongEmail: "Escriba un correo electrónico, como ana@example.com.",
  send: "Recibir un enlace",
  sent: {
    title: "Revise su correo",
    text: (email) =>
      `Si ${email} pertenece a una persona del equipo, enviamos un enlace a esa dirección. ` +
      "El enlace funciona una sola vez y vence en 15 minutos.",
    again: "¿No recibió el correo? Revise la carpeta de spam o pida otro enlace."
  },
  link: {
    title: "Confirme el inicio de sesión",
    text: (email) => `Va a iniciar sesión como ${email}.`
  },
  over: {
    title: "Este enlace venció",
    text: "Cada enlace funciona una sola vez y vence a los 15 minutos, o a los 7 días en las invitaciones. " +
      "Pida otro enlace.",
    button: "Pedir otro enlace"
  },
  nowhere: {
    title: "El inicio de sesión no está configurado",
    text: "El servidor no tiene una URL pública. Inicie el servidor con --public-url."
  },
  out: "Cerrar sesión",
  as: (email) => `Sesión de ${email}`,
  connect: {
    title: (org) => `¿Conectar un asistente a ${org}?`,
    at: "Asistente en",
    names: (name) => `El asistente se identifica como «${name}». Este nombre no está verificado.`,
    back: (host) => `Después, volverá a ${host}.`,
    local: "Esta solicitud viene de una aplicación en esta computadora. Continúe solo si usted acaba de iniciarla.",
    may: "Permisos",
    scopes: {
      read: { word: "Ver reservas", what: "actividades, disponibilidad y reservas" },
      write: { word: "Cambiar reservas", what: "crear, mover y cancelar reservas, y editar actividades" },
      admin: {
        word: "Administrar",
        what: "cambiar la configuración y exportar todos los datos si se seleccionan los datos de clientes"
      }
    },
    personal: {
      word: "Ver datos de clientes",
      what: "nombres, correos, teléfonos, notas, mensajes y propuestas del agente"
    },
    allow: "Conectar asistente",
    deny: "Cancelar",
    ends: "Puede desconectarlo en cualquier momento.",
    tick: "Seleccione al menos un permiso.",
    ownersOnly: {
      title: "Contacte a un propietario",
      text: (org) => `Solo los propietarios de ${org} pueden conectar un asistente.`
    },
    onTo: { title: "Volviendo al asistente", link: "Continuar al asistente" },
    wrong: {
      title: "No se puede conectar este asistente",
      text: "La solicitud no es válida. Envíe este error al desarrollador del asistente:",
      back: (host) => `Volver a ${host}`
    }
  }
}

/** The text for the passkey pages. */
export const passkeyEnglish = {
  signIn: {
    title: "Sign in with a passkey",
    lead: "Your device will ask for your fingerprint, face, or PIN. No email is needed.",
    button: "Use a passkey",
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
