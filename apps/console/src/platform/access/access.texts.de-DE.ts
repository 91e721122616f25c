import type { de } from './access.texts.ts'

export const deDE: typeof de = {
  needs: (subject: string, roles: readonly string[]) =>
    `Für ${subject} brauchen Sie die Rolle ${roles.join(' oder ')}.`,
  askOwner: (owner: string) => `Fragen Sie ${owner}: Das Projekt gehört dieser Person.`,
  askRoot: 'Das kann nur Root öffnen. Fragen Sie die Personen, die diese Installation verwalten.',
  askAdministrators: 'Fragen Sie die Personen, die diese Installation verwalten.',
  chooseProject:
    'Wählen Sie zuerst ein Projekt. Wenn Sie keines haben, bitten Sie einen Eigentümer um Zugriff.',
  contact: 'Kontakt',
  noApp: 'Sie können diese App nicht öffnen',
  noAppText: (label: string, isOfProject: boolean) =>
    `Sie haben${isOfProject ? ' in diesem Projekt' : ''} keinen Zugriff auf ${label}.`,
  appIsOff: (label: string) => `${label} ist nicht verfügbar`,
  appIsOffText: (isOfProject: boolean) =>
    isOfProject
      ? 'Root hat diese App ausgeschaltet, oder dieses Projekt verwendet ihr Produkt nicht.'
      : 'Diese App ist nicht installiert oder ausgeschaltet.',
  noPage: 'Sie können diese Seite nicht öffnen',
  noRoot: 'Sie dient der Verwaltung der ganzen Installation.',
  noProject: 'Sie haben keinen Zugriff auf dieses Projekt',
  noProjectText: (email: string) =>
    `Es wurde gelöscht, oder Sie haben keine Rolle darin. Fragen Sie die Person, von der Sie den Link haben: Der Eigentümer des Projekts kann ${email} einladen.`,
  ask: 'Um Zugriff bitten',
  close: 'Hinweis schließen',
  asked: (role: string) => `Sie haben um die Rolle ${role} gebeten`,
  invited: (role: string) => `Die Einladung mit der Rolle ${role} liegt in Ihrem Postfach`,
  granted: (name: string | null, role: string) => `${name ?? 'Root'} hat Ihnen die Rolle ${role} gegeben`,
  declined: (name: string | null, role: string) => `${name ?? 'Root'} hat die Rolle ${role} abgelehnt`,
  role: 'Rolle',
  message: 'Nachricht (optional)',
  sendsTo: (owner: string) => `${owner} und Root sehen die Anfrage mit Ihrem Namen und Ihrer E-Mail-Adresse.`,
  noRoleOpens: 'Keine Rolle dieses Projekts öffnet diese App.',
  noRoles: 'Sie haben schon jede Rolle, die dieses Projekt bietet.',
  cancel: 'Abbrechen',
  send: 'Anfrage senden',
  sending: 'Wird gesendet',
  sent: 'Anfrage gesendet',
  sentText: (owner: string) => `${owner} kann Ihnen die Rolle geben oder die Anfrage ablehnen.`,
  failed: 'Die Anfrage wurde nicht gesendet',
  offerFailed: 'Die Rollen konnten nicht geladen werden',
  retry: 'Erneut versuchen',
}
