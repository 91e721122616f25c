import { textsOf } from '#platform/locale.ts'

export const texts = textsOf({
  de: {
    loading: 'Loading',
    linkTitle: 'Open a link',
    linkText: 'Paste the link from your e-mail or from the person who invited you.',
    link: 'Link',
    linkMissing: 'Please paste the link',
    linkWrong: 'This is not a link to this console',
    open: 'Open',
    newLink:
      'Links work once and for a limited time. Please ask whoever invited you for a new one, or sign in if you have an account.',
    toLogin: 'To the login',
    retry: 'Try again',
    // The registration speaks German.
    registration: 'Registrierung',
    invitedAs: 'Du wurdest eingeladen. Mit dieser Adresse meldest du dich künftig an:',
    email: 'E-Mail',
    firstname: 'Vorname',
    lastname: 'Nachname',
    password: 'Passwort',
    confirmation: 'Passwort bestätigen',
    showPassword: 'Passwort anzeigen',
    hidePassword: 'Passwort verbergen',
    nameTooShort: 'Mindestens 2 Zeichen',
    passwordTooShort: 'Mindestens 8 Zeichen',
    passwordsDiffer: 'Passwörter stimmen nicht überein',
    create: 'Account erstellen',
    creating: 'Account wird erstellt',
    created: 'Account erstellt',
    signedInAs: (email: string) => `Du bist als ${email} angemeldet.`,
    toConsole: 'Weiter zur Konsole',
    invitation: 'Einladung annehmen',
    invitationFor: (email: string) =>
      `Die Einladung gilt für ${email}. Diese Adresse hat schon einen Account.`,
    signInFirst: 'Melde dich damit an, um die Einladung anzunehmen.',
    signIn: 'Anmelden',
    signInAsOther: 'Mit einem anderen Account anmelden',
    accept: 'Einladung annehmen',
    accepting: 'Einladung wird angenommen',
    accepted: 'Einladung angenommen',
  },
})
