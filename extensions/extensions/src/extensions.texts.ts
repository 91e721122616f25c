import { textsOf } from '@pult/sdk'
import { deDE } from './extensions.texts.de-DE.ts'
import { en } from './extensions.texts.en.ts'

export const de = {
  extensions: 'Extensions',
  install: 'Install an extension',
  label: 'Extension',
  version: 'Version',
  state: 'State',
  apps: 'Apps',
  products: 'Products',
  none: 'None',
  source: 'Source',
  bundled: 'Bundled',
  installed: 'Installed',
  runs: 'Runs',
  off: 'Off',
  broken: 'Broken',
  doesNotRun: 'Does not run',
  loadingFailed: 'The extensions could not be loaded',
  nothingThere: 'There are no extensions',
  nothingThereText: 'Install one from an archive that its author has packed.',
  cancel: 'Cancel',

  back: 'All extensions',
  gone: 'There is no such extension',
  goneText: 'It has been removed, or the address is wrong.',
  about: 'What it is',
  id: 'Id',
  size: 'Size',
  sdk: 'SDK that it works with',
  ofConsole: (version: string) => `this console has ${version}`,
  changed: 'Switched on or off',
  problem: 'It cannot run as it is',
  problemOfEnabled: 'It is on, but does not run',
  bytes: (bytes: number) =>
    bytes < 1024
      ? `${bytes} B`
      : bytes < 1024 * 1024
        ? `${(bytes / 1024).toLocaleString('de-DE', { maximumFractionDigits: 1 })} KiB`
        : `${(bytes / 1024 / 1024).toLocaleString('de-DE', { maximumFractionDigits: 1 })} MiB`,

  power: 'On or off',
  enable: 'Enable',
  enableHint: 'Its apps appear for those who may use them, once they load the console anew.',
  enableQuestion: 'Enable this extension?',
  enableText: (label: string) =>
    `${label} is fully trusted code: it can do whatever the person who uses it can do. Enable it only if you trust who made it.`,
  enabled: (label: string) => `${label} is on`,
  disable: 'Disable',
  disableHint: 'Its apps go from everybody. Its products and grants stay.',
  disableQuestion: 'Disable this extension?',
  disableText: (label: string) => `The apps of ${label} go from everybody. Its products and grants stay.`,
  disableOwnText: 'This page is one of them: only the operator’s command line can bring it back.',
  disabled: (label: string) => `${label} is off`,
  afterReload: 'Consoles that are open show it once they are loaded anew.',

  versions: 'Versions',
  digest: 'Digest',
  running: 'Runs',
  ready: 'Can run',
  enableVersion: 'Enable',
  enableVersionOf: (version: string) => `Enable ${version}`,
  enableVersionQuestion: (version: string) => `Enable version ${version}?`,
  remove: 'Delete',
  removeVersionOf: (version: string) => `Delete ${version}`,
  removeQuestion: (version: string) => `Delete version ${version}?`,
  removeText: 'Its files are deleted. To have it back it needs to be installed again.',
  removed: (version: string) => `Version ${version} deleted`,
  unreadable: 'unreadable',
  actions: 'Actions',

  backend: 'Service',
  backendText: (label: string) =>
    `Its apps call ${label}, a service of its own. Calls are handed on to this address with the identity of who calls.`,
  backendUrl: 'Address',
  backendHint: 'Such as https://reports.example.org. The server has to reach it.',
  backendInvalid: 'Please enter an address that begins with http:// or https://',
  save: 'Save',
  saving: 'Saving',
  backendSaved: 'Address saved',
  backendFailed: 'Saving the address failed',
  removeBackend: 'Take away',
  removeBackendQuestion: 'Take the address away?',
  removeBackendText: 'Calls of its apps to its service will be refused until there is one again.',
  backendRemoved: 'Address taken away',

  installTitle: 'Install an extension',
  warning: 'An extension is fully trusted code',
  warningText:
    'It runs in the console of everybody who uses it and can do whatever they can do. Install only what comes from somebody you trust.',
  drop: 'Drop an archive (.tgz) here, or',
  chosen: (name: string, size: string) => `${name}, ${size}`,
  noArchive: 'Please choose an archive (.tgz)',
  notAnArchive: (name: string) => `${name} is not an archive of an extension (.tgz)`,
  confirmInstall: 'Install',
  sending: 'Sending the archive',
  checking: 'The server is checking it',
  installFailed: 'Installing failed',
  isInstalled: (label: string) => `${label} is installed`,
  isInstalledText: 'It is off until you enable it.',
}

export const texts = textsOf({ de, en, 'de-DE': deDE })
