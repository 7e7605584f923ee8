/** The text shared by all pages. */
export const frameEnglish = {
  skip: "Skip to content",
  ask: "Ask a question",
  zone: (city: string) => `All times are in ${city} time.`,
  made: "Powered by Trailbook",
  otherLanguage: "Español",
  back: "Back",
  trip: {
    where: "Meeting point",
    bring: "What to bring",
    requirements: "Requirements",
    age: "Minimum age",
    ageFrom: (years: number) => years === 1 ? "1 year" : `${years} years`,
    waiver: "Waiver",
    sign: "Read and sign the waiver",
    questions: "Questions?"
  },
  wrong: {
    notFound: {
      title: "Page not found",
      text: "Check the address. The page may no longer be available."
    },
    foreign: {
      title: "Request blocked",
      text: "The request came from another website, so nothing was changed. Open the page directly and try again."
    },
    owners: {
      title: "Only owners can open this page",
      text: "Ask an owner to make this change or to give you the owner role."
    },
    often: {
      title: "Too many requests",
      text: (seconds: number) =>
        seconds > 90
          ? `Wait ${Math.ceil(seconds / 60)} minutes and try again.`
          : `Wait ${seconds === 1 ? "1 second" : `${seconds} seconds`} and try again.`
    },
    unreadable: { title: "The request could not be read", text: "Go back and try again." },
    unavailable: {
      title: "Temporarily unavailable",
      text: "Try again in a moment. If you were booking, submit the same form again. You will not be booked twice."
    },
    broken: {
      title: "Something went wrong",
      text: "The error is on our side. Try again. If you were booking, submit the same form again. You will not be " +
        "booked twice.",
      id: (id: string) => `Error ID for support: ${id}`
    }
  }
}

export const frameSpanish: typeof frameEnglish = {
  skip: "Ir al contenido",
  ask: "Hacer una pregunta",
  zone: (city) => `Todos los horarios están en hora de ${city}.`,
  made: "Con la tecnología de Trailbook",
  otherLanguage: "English",
  back: "Volver",
  trip: {
    where: "Punto de encuentro",
    bring: "Qué llevar",
    requirements: "Requisitos",
    age: "Edad mínima",
    ageFrom: (years) => years === 1 ? "1 año" : `${years} años`,
    waiver: "Exención de responsabilidad",
    sign: "Leer y firmar",
    questions: "¿Preguntas?"
  },
  wrong: {
    notFound: {
      title: "Página no encontrada",
      text: "Revise la dirección. Es posible que la página ya no esté disponible."
    },
    foreign: {
      title: "Solicitud bloqueada",
      text:
        "La solicitud vino de otro sitio web, así que no se hizo ningún cambio. Abra la página directamente e intente de nuevo."
    },
    owners: {
      title: "Solo los propietarios pueden abrir esta página",
      text: "Pida a un propietario que haga este cambio o que le asigne el rol de propietario."
    },
    often: {
      title: "Demasiadas solicitudes",
      text: (seconds) =>
        seconds > 90
          ? `Espere ${Math.ceil(seconds / 60)} minutos e intente de nuevo.`
          : `Espere ${seconds === 1 ? "1 segundo" : `${seconds} segundos`} e intente de nuevo.`
    },
    unreadable: { title: "No se pudo leer la solicitud", text: "Regrese e intente de nuevo." },
    unavailable: {
      title: "No disponible por el momento",
      text: "Intente de nuevo en un momento. Si estaba reservando, vuelva a enviar el mismo formulario. " +
        "No se duplicará la reserva."
    },
    broken: {
      title: "Ocurrió un error",
      text: "El error es nuestro. Intente de nuevo. Si estaba reservando, vuelva a enviar el mismo formulario. No se " +
        "duplicará la reserva.",
      id: (id) => `ID del error para soporte: ${id}`
    }
  }
}
