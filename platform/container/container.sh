# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# `./longhaul container`: the command line in a container of Debian 12, by podman or docker (docs/container.md). Sourced by
# `longhaul`, whose variables and functions it uses. Bash and an engine are all that it needs of the host.

# shellcheck disable=SC2154 # root, cache and command are the front door's

container_help() {
  cat <<'EOH'
Usage: longhaul container [OPTION]... COMMAND [ARGUMENT]...

Run a command of Longhaul in a container of Debian 12, by podman or docker. The first time this
builds an image. The folder that you stand in (or its workspace), Longhaul's folder, and folders
that the command's words name by an absolute path or by .. are mounted at their own places.

Options:
  --engine PROGRAM   podman or docker. [default: podman, else docker]
  --base IMAGE       An image of Debian 12 to build on. [default: docker.io/library/debian:12]
  --network NAME     The engine's network; host is the host's own, none is none.
  --cache NAME|DIR   A volume, or a folder (with a / in its name), for the caches and the build.
                     [default: the volume longhaul-cache-UID]
  --mount DIR        One more folder that the command reads or writes; may be given again.
  --rebuild          Build the image anew, with Debian's present packages; COMMAND may be left out.
  --remove           Remove Longhaul's images and the volume of caches.
  --help             Show this message.

LONGHAUL_CONTAINER=1 in the environment runs every command in the container. The variables
LONGHAUL_CONTAINER_ENGINE, _BASE, _NETWORK and _CACHE stand for the options;
LONGHAUL_CONTAINER_OPTIONS has options of the engine's own, such as '--memory 8g'.
For example: longhaul container demo
EOH
}

refuse() { say "$*"; exit 2; }

# --- The engine and its image ------------------------------------------------------------------------------------------

# engine_says WORD...: prints the engine's answer; where it has none, ends with what it said.
engine_says() {
  local said
  # Podman explains itself in several lines; its last one is the error.
  said=$("$engine" "$@" 2>&1) || die "$engine: $(printf '%s\n' "$said" | sed '/^[[:space:]]*$/d' | tail -n 1)"
  printf '%s\n' "$said"
}

# find_engine: sets `engine`, a program, and `kind`, which of podman and docker it is.
find_engine() {
  local name version
  if [[ $engine ]]; then
    command -v "$engine" >/dev/null || die "there is no program '$engine'; --engine wants podman or docker"
  else
    for name in podman docker; do
      if command -v "$name" >/dev/null; then engine=$name; break; fi
    done
    [[ $engine ]] || die "needs podman or docker; install the package podman" \
      "(Debian, Ubuntu: sudo apt-get install podman; Fedora: sudo dnf install podman)"
  fi
  version=$(engine_says --version) || exit
  case $version in  # podman may be called docker
    *podman*) kind=podman ;;
    *[Dd]ocker*) kind=docker ;;
    *) die "'$engine' is neither podman nor docker" ;;
  esac
}

# choose_image: sets `stage`, the part of Containerfile that the command needs, and `image`, of this text and base.
choose_image() {
  local key
  stage=run
  find_command "${words[@]}"
  if [[ $command =~ ^(test|bench|figures)$ || ($command == golden && " ${words[*]}" == *' --host'*) ]]; then stage='test'; fi
  key=$(cd "$root" && { echo "$base"; cat Containerfile platform/config/debian-packages.txt platform/container/install.sh; } |
    sha256sum | cut -c1-16)
  image=$repository:$stage-$key
}

build_image() {
  local name options=()
  [[ $rebuild ]] && options+=(--no-cache)
  [[ $network && $network != none ]] && options+=(--network "$network")
  for name in "${proxies[@]}"; do [[ ${!name:-} ]] && options+=(--build-arg "$name"); done
  "$engine" build --build-arg "BASE=$base" --target "$stage" --tag "$image" "${options[@]}" --file "$root/Containerfile" "$root"
}
image_is_there() {
  local found
  found=$(engine_says images --quiet "$image") || exit
  [[ $found ]]
}
build_image_locked() {
  [[ ! $rebuild ]] && image_is_there && return
  step "image-$stage" "building the container's image of $base" build_image
}
ensure_image() {
  [[ ! $rebuild ]] && image_is_there && return
  [[ $network != none ]] || die "there is no image yet, and with --network none none can be built; run it once without"
  need_cache
  locked "$cache/image.lock" build_image_locked
}

remove_all() {
  local found name
  found=$(engine_says images --format '{{.Repository}}:{{.Tag}}' "$repository") || exit
  for name in $found; do
    engine_says rmi "$name" >/dev/null
    say "removed the image $name"
  done
  if [[ $store == */* ]]; then
    say "$store is a folder of yours, and stays"
    return
  fi
  found=$(engine_says volume ls --quiet --filter "name=$store") || exit
  for name in $found; do
    [[ $name == "$store" ]] || continue  # a part of its name
    engine_says volume rm "$name" >/dev/null
    say "removed the volume $name"
  done
}

# --- What is mounted ---------------------------------------------------------------------------------------------------

within() { [[ $1/ == "${2%/}"/* ]]; }  # within PATH FOLDER

# is_systems FOLDER: says whether the container has a folder of its own there, which a mount would hide.
is_systems() {
  case $1/ in
    / | // | /usr/ | /usr/local/ | /usr/share/ | /var/ | /var/lib/ | /var/cache/ | /home/ | /run/) true ;;
    /bin/* | /boot/* | /dev/shm/?* | /etc/* | /lib/* | /lib32/* | /lib64/* | /libx32/* | /proc/* | /sbin/* | /sys/*)
      [[ $1 != /dev/shm/* ]] ;;
    /dev/* | /usr/bin/* | /usr/include/* | /usr/lib/* | /usr/libexec/* | /usr/sbin/* | "$inside"/*) true ;;
    *) false ;;
  esac
}

# mount_folder PATH [MODE]: mounts it at its own place unless a mount has it already; MODE is rw or ro.
mount_folder() {
  local there
  for there in "${mounts[@]}"; do
    if within "$1" "${there#*:}" && [[ $there == rw:* ]]; then return; fi
    [[ $there == "${2:-rw}:$1" ]] && return
  done
  [[ $1 != *[,:]* ]] || refuse "$1: a folder with a comma or colon in its name cannot be mounted"
  mounts+=("${2:-rw}:$1")
}

# must_mount PATH WHAT [MODE]: the same, for a folder without which nothing can be done.
must_mount() {
  is_systems "$1" && refuse "$2 $1 cannot be mounted: the container has files of its own there; use another folder"
  mount_folder "$1" "${3:-rw}"
}

# nearest PATH: prints the path without . and .. in it, or what exists above it.
nearest() {
  local path=$1
  while [[ ! -e $path ]]; do path=${path%/*}; path=${path:-/}; done
  if [[ -d $path ]]; then (CDPATH='' cd -L "$path" && pwd -L); else echo "$(CDPATH='' cd -L "${path%/*}/" && pwd -L)/${path##*/}"; fi
}

# mount_named WORD BEFORE: mounts what a word of the command names outside of the mounted folders.
mount_named() {
  local path=${1##*=} found
  case $path in
    /*) ;;
    .. | ../* | */../*) path=$here/$path ;;
    *) return 0 ;;
  esac
  found=$(nearest "$path")
  # What lies beside a file may be named in it.
  if [[ ! -d $found ]] && ! is_systems "${found%/*}" && [[ ${found%/*} != /tmp ]]; then found=${found%/*}; fi
  if ! is_systems "$found"; then
    mount_folder "$found"
  elif [[ $2 == --out || $1 == --out=* ]]; then
    refuse "--out $path cannot be mounted: the container has files of its own in $found; use another folder"
  fi
}

choose_mounts() {
  local word before='' folder common
  mounts=()
  here=$(pwd -P)
  folder=$here
  while [[ $folder && ! -e $folder/longhaul.toml ]]; do folder=${folder%/*}; done
  must_mount "${folder:-$here}" "the folder"
  # Users only read Longhaul's folder; who stands in it may change it.
  must_mount "$root" "Longhaul's folder" ro
  # A work tree's commit stands in a repository elsewhere.
  if common=$(git -c safe.directory="$root" -C "$root" rev-parse --path-format=absolute --git-common-dir 2>/dev/null); then
    within "$common" "$root" || is_systems "$common" || mount_folder "$common" ro
  fi
  for folder in "${more[@]}"; do
    [[ -d $folder ]] || refuse "--mount $folder: there is no such folder"
    must_mount "$(nearest "$folder")" "the folder"
  done
  for word in "${words[@]}"; do
    mount_named "$word" "$before"
    before=$word
  done
  if [[ ${LONGHAUL_WORKSPACE:-} == /* ]]; then mount_named "$LONGHAUL_WORKSPACE" ''; fi
}

# --- The run -----------------------------------------------------------------------------------------------------------

# add_user: files belong to the caller, and the command has no more rights than the caller.
add_user() {
  local security=''
  if [[ $kind == podman ]]; then
    ((EUID == 0)) || run+=(--userns keep-id)
  else
    security=$(engine_says info --format '{{.SecurityOptions}}')
    if [[ $security == *name=rootless* ]]; then
      run+=(--user 0:0)  # is the caller
    else
      run+=(--user "$EUID:$(id -g)")
      [[ $security == *name=userns* ]] && run+=(--userns host)
    fi
  fi
  # Root may write to files of others, as it does outside.
  ((EUID == 0)) || run+=(--cap-drop ALL)
  # Guests' addresses must not be random, which the engines' own filter does not let a program ask for.
  run+=(--security-opt "seccomp=$root/platform/container/seccomp.json")
  run+=(--security-opt no-new-privileges --security-opt label=disable)
}

# add_environment: passes what Longhaul, pip and apt read, by name, and files that a variable names.
add_environment() {
  local name
  for name in CI NO_COLOR FORCE_COLOR "${proxies[@]}" PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_TRUSTED_HOST \
    PIP_DEFAULT_TIMEOUT PIP_RETRIES $(compgen -e LONGHAUL_ || true); do
    case $name in
      LONGHAUL_CONTAINER* | LONGHAUL_IN_CONTAINER | LONGHAUL_ROOT) continue ;;
      LONGHAUL_BUILD | LONGHAUL_SIMULATOR)
        if [[ ${!name:-} ]]; then say "$name is of the host, and is left out"; fi
        continue ;;
    esac
    [[ ${!name:-} ]] && run+=(--env "$name")
  done
  for name in PIP_CERT PIP_CONFIG_FILE REQUESTS_CA_BUNDLE SSL_CERT_FILE; do
    [[ ${!name:-} && -f ${!name} ]] || continue
    run+=(--mount "type=bind,source=$(nearest "$(absolute "${!name}")"),target=/run/longhaul/$name,readonly")
    run+=(--env "$name=/run/longhaul/$name")
  done
}
absolute() { if [[ $1 == /* ]]; then echo "$1"; else echo "$here/$1"; fi; }

run_in_container() {
  local folder text run=(run --rm --interactive --read-only --workdir "$here")
  # Where all streams are the terminal's; the keys that would leave the container are none that a shell needs.
  if [[ -t 0 && -t 1 && -t 2 ]]; then run+=(--tty --env TERM --detach-keys 'ctrl-@,ctrl-^,ctrl-@'); fi
  add_user
  if [[ $network ]]; then run+=(--network "$network"); fi
  for folder in "${mounts[@]}"; do
    text="type=bind,source=${folder#*:},target=${folder#*:}"
    [[ $folder == ro:* ]] && text+=,readonly
    run+=(--mount "$text")
  done
  [[ " ${mounts[*]} " == *' rw:/tmp '* ]] || run+=(--tmpfs '/tmp:rw,exec,mode=1777')
  if [[ $store == */* ]]; then
    mkdir -p "$store" 2>/dev/null || die "cannot write to $store, the cache"
    run+=(--mount "type=bind,source=$(nearest "$(absolute "$store")"),target=$inside")
  else
    run+=(--mount "type=volume,source=$store,target=$inside")
  fi
  add_environment
  # The host's build is of other compilers; a checkout has one of its own in the volume.
  run+=(--env "HOME=$inside" --env "USER=${USER:-longhaul}")
  run+=(--env "LONGHAUL_BUILD=$inside/builds/$(printf '%s' "$root" | sha256sum | cut -c1-16)")
  # shellcheck disable=SC2206 # words, as they are for a shell
  run+=(${LONGHAUL_CONTAINER_OPTIONS:-})
  exec "$engine" "${run[@]}" "$image" "$root/longhaul" "${words[@]}"
}

# container WORD...: reads the options ahead of the command, which may be --, and runs the command.
container() {
  local engine=${LONGHAUL_CONTAINER_ENGINE:-} base=${LONGHAUL_CONTAINER_BASE:-docker.io/library/debian:12}
  local network=${LONGHAUL_CONTAINER_NETWORK:-} store=${LONGHAUL_CONTAINER_CACHE:-longhaul-cache-$EUID}
  local kind='' stage='' image='' here='' rebuild='' remove='' whole='' option words=() more=() mounts=()
  local repository=localhost/longhaul inside=/var/cache/longhaul
  local proxies=(http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY)
  while (($#)); do
    option=$1
    case $option in
      --engine=* | --base=* | --network=* | --cache=* | --mount=*) set -- "${option%%=*}" "${option#*=}" "${@:2}"; continue ;;
      --engine | --base | --network | --cache | --mount)
        [[ ${2:-} ]] || refuse "$option wants a value; 'longhaul container --help' tells"
        case $option in
          --engine) engine=$2 ;;
          --base) base=$2 ;;
          --network) network=$2 ;;
          --cache) store=$2 ;;
          --mount) more+=("$2") ;;
        esac
        shift 2 ;;
      --rebuild) rebuild=1; shift ;;
      --remove) remove=1; shift ;;
      --help | -h) container_help; exit ;;
      --) whole=1; shift; break ;;
      *) break ;;
    esac
  done
  words=("$@")
  find_command "${words[@]}"
  [[ $whole ]] || case ${words[0]:-} in
    --debug | --check-only | --version | --workspace | --workspace=*) ;;  # ahead of a command
    -*) refuse "container has no option '${words[0]}'; 'longhaul container --help' shows all" ;;
    '') [[ $rebuild || $remove ]] || refuse "container wants a command; for example: longhaul container demo" ;;
  esac
  case $command in
    container) refuse "container is given twice; once is enough" ;;
    link) refuse "link is of this machine, not of a container; this does the same: ln -s $root/longhaul ~/.local/bin/" ;;
  esac
  find_engine
  if [[ $remove ]]; then
    [[ ! $rebuild && ! ${words[*]} ]] || refuse "--remove stands alone"
    remove_all
    exit
  fi
  choose_image
  choose_mounts  # what cannot be is told before a build
  ensure_image
  [[ $whole || ${words[*]} ]] || exit 0
  run_in_container
}
