import Activity from 'lucide-react/icons/activity'
import Bell from 'lucide-react/icons/bell'
import Blocks from 'lucide-react/icons/blocks'
import BookOpen from 'lucide-react/icons/book-open'
import Box from 'lucide-react/icons/box'
import Boxes from 'lucide-react/icons/boxes'
import Braces from 'lucide-react/icons/braces'
import Bug from 'lucide-react/icons/bug'
import Building2 from 'lucide-react/icons/building-2'
import Calendar from 'lucide-react/icons/calendar'
import Camera from 'lucide-react/icons/camera'
import ChartLine from 'lucide-react/icons/chart-line'
import ClipboardList from 'lucide-react/icons/clipboard-list'
import Clock from 'lucide-react/icons/clock'
import Cloud from 'lucide-react/icons/cloud'
import Cpu from 'lucide-react/icons/cpu'
import Database from 'lucide-react/icons/database'
import FileText from 'lucide-react/icons/file-text'
import Files from 'lucide-react/icons/files'
import Flag from 'lucide-react/icons/flag'
import FolderCog from 'lucide-react/icons/folder-cog'
import FolderKanban from 'lucide-react/icons/folder-kanban'
import Gamepad2 from 'lucide-react/icons/gamepad-2'
import Gauge from 'lucide-react/icons/gauge'
import GitBranch from 'lucide-react/icons/git-branch'
import Globe from 'lucide-react/icons/globe'
import HardDrive from 'lucide-react/icons/hard-drive'
import Headphones from 'lucide-react/icons/headphones'
import HeartPulse from 'lucide-react/icons/heart-pulse'
import History from 'lucide-react/icons/history'
import Home from 'lucide-react/icons/home'
import Image from 'lucide-react/icons/image'
import Images from 'lucide-react/icons/images'
import KeyRound from 'lucide-react/icons/key-round'
import Keyboard from 'lucide-react/icons/keyboard'
import Layers from 'lucide-react/icons/layers'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import Lightbulb from 'lucide-react/icons/lightbulb'
import ListChecks from 'lucide-react/icons/list-checks'
import Map from 'lucide-react/icons/map'
import MapPin from 'lucide-react/icons/map-pin'
import Megaphone from 'lucide-react/icons/megaphone'
import MessageSquare from 'lucide-react/icons/message-square'
import Mic from 'lucide-react/icons/mic'
import Monitor from 'lucide-react/icons/monitor'
import MonitorSpeaker from 'lucide-react/icons/monitor-speaker'
import Music from 'lucide-react/icons/music'
import Network from 'lucide-react/icons/network'
import NotebookPen from 'lucide-react/icons/notebook-pen'
import Package from 'lucide-react/icons/package'
import Palette from 'lucide-react/icons/palette'
import Plug from 'lucide-react/icons/plug'
import Plus from 'lucide-react/icons/plus'
import Printer from 'lucide-react/icons/printer'
import Puzzle from 'lucide-react/icons/puzzle'
import Radio from 'lucide-react/icons/radio'
import Rocket from 'lucide-react/icons/rocket'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Router from 'lucide-react/icons/router'
import ScanLine from 'lucide-react/icons/scan-line'
import ScrollText from 'lucide-react/icons/scroll-text'
import Server from 'lucide-react/icons/server'
import Settings from 'lucide-react/icons/settings'
import Shield from 'lucide-react/icons/shield'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Ship from 'lucide-react/icons/ship'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import Smartphone from 'lucide-react/icons/smartphone'
import Sparkles from 'lucide-react/icons/sparkles'
import Speaker from 'lucide-react/icons/speaker'
import SquareTerminal from 'lucide-react/icons/square-terminal'
import Stethoscope from 'lucide-react/icons/stethoscope'
import StickyNote from 'lucide-react/icons/sticky-note'
import Table from 'lucide-react/icons/table'
import Tag from 'lucide-react/icons/tag'
import Theater from 'lucide-react/icons/theater'
import Thermometer from 'lucide-react/icons/thermometer'
import Timer from 'lucide-react/icons/timer'
import ToggleLeft from 'lucide-react/icons/toggle-left'
import ToolCase from 'lucide-react/icons/tool-case'
import Tractor from 'lucide-react/icons/tractor'
import TramFront from 'lucide-react/icons/tram-front'
import Truck from 'lucide-react/icons/truck'
import Tv from 'lucide-react/icons/tv'
import Upload from 'lucide-react/icons/upload'
import UserCog from 'lucide-react/icons/user-cog'
import UserPlus from 'lucide-react/icons/user-plus'
import Users from 'lucide-react/icons/users'
import Video from 'lucide-react/icons/video'
import Volume2 from 'lucide-react/icons/volume-2'
import WandSparkles from 'lucide-react/icons/wand-sparkles'
import Warehouse from 'lucide-react/icons/warehouse'
import Waypoints from 'lucide-react/icons/waypoints'
import Webhook from 'lucide-react/icons/webhook'
import Wifi from 'lucide-react/icons/wifi'
import Wrench from 'lucide-react/icons/wrench'
import Zap from 'lucide-react/icons/zap'
import { type ComponentType, createElement, type ReactElement } from 'react'

/** The icons that manifests can name. The set is limited because all of Lucide is 2 MB. */
const appIcons: Readonly<Record<string, ComponentType<{ 'aria-hidden': 'true' }>>> = {
  activity: Activity,
  bell: Bell,
  blocks: Blocks,
  'book-open': BookOpen,
  box: Box,
  boxes: Boxes,
  braces: Braces,
  bug: Bug,
  'building-2': Building2,
  calendar: Calendar,
  camera: Camera,
  'chart-line': ChartLine,
  'clipboard-list': ClipboardList,
  clock: Clock,
  cloud: Cloud,
  cpu: Cpu,
  database: Database,
  'file-text': FileText,
  files: Files,
  flag: Flag,
  'folder-cog': FolderCog,
  'folder-kanban': FolderKanban,
  'gamepad-2': Gamepad2,
  gauge: Gauge,
  'git-branch': GitBranch,
  globe: Globe,
  'hard-drive': HardDrive,
  headphones: Headphones,
  'heart-pulse': HeartPulse,
  history: History,
  home: Home,
  image: Image,
  images: Images,
  'key-round': KeyRound,
  keyboard: Keyboard,
  layers: Layers,
  'layout-dashboard': LayoutDashboard,
  lightbulb: Lightbulb,
  'list-checks': ListChecks,
  map: Map,
  'map-pin': MapPin,
  megaphone: Megaphone,
  'message-square': MessageSquare,
  mic: Mic,
  monitor: Monitor,
  'monitor-speaker': MonitorSpeaker,
  music: Music,
  network: Network,
  'notebook-pen': NotebookPen,
  package: Package,
  palette: Palette,
  plug: Plug,
  plus: Plus,
  printer: Printer,
  puzzle: Puzzle,
  radio: Radio,
  rocket: Rocket,
  'rotate-cw': RotateCw,
  router: Router,
  'scan-line': ScanLine,
  'scroll-text': ScrollText,
  server: Server,
  settings: Settings,
  shield: Shield,
  'shield-check': ShieldCheck,
  ship: Ship,
  'sliders-horizontal': SlidersHorizontal,
  smartphone: Smartphone,
  sparkles: Sparkles,
  speaker: Speaker,
  'square-terminal': SquareTerminal,
  stethoscope: Stethoscope,
  'sticky-note': StickyNote,
  table: Table,
  tag: Tag,
  theater: Theater,
  thermometer: Thermometer,
  timer: Timer,
  'toggle-left': ToggleLeft,
  'tool-case': ToolCase,
  tractor: Tractor,
  'tram-front': TramFront,
  truck: Truck,
  tv: Tv,
  upload: Upload,
  'user-cog': UserCog,
  'user-plus': UserPlus,
  users: Users,
  video: Video,
  'volume-2': Volume2,
  'wand-sparkles': WandSparkles,
  warehouse: Warehouse,
  waypoints: Waypoints,
  webhook: Webhook,
  wifi: Wifi,
  wrench: Wrench,
  zap: Zap,
}

/** Returns the icon with a name from a manifest, which can be `constructor`. */
export const appIcon = (name: string): ReactElement =>
  createElement((Object.hasOwn(appIcons, name) ? appIcons[name] : undefined) ?? Box, {
    'aria-hidden': 'true',
  })
