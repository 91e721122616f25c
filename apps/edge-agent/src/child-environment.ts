/**
 * Variables that programs need from the system. Others stay with the agent: its own, those of its service manager, and
 * those that hold a password.
 */
const passedOn = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  // A screen, sound and the user's services.
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'PULSE_SERVER',
  // Windows, whose names have no case.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'PROGRAMFILES',
  'PROGRAMDATA',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'TEMP',
  'TMP',
])

const isPassedOn = (name: string) => passedOn.has(name.toUpperCase()) || /^LC_[A-Z]+$/.test(name)

/** Returns the environment of a program that the agent starts: a few variables of the system, and the declared ones. */
export const childEnvironment = (declared: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isPassedOn(name))),
  ...declared,
})
