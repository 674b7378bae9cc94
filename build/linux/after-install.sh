#!/bin/sh
# After the installation of the deb and the rpm. The builder puts the names in, so no other name may
# stand in braces after a dollar sign (electron-builder.yml).
program='/opt/${sanitizedProductName}/${executable}'
helper='/opt/${sanitizedProductName}/chrome-sandbox'
command='/usr/bin/${executable}'
profile_source='/opt/${sanitizedProductName}/resources/apparmor-profile'
profile='/etc/apparmor.d/${executable}'

link_command() {
  if ! hash update-alternatives 2>/dev/null; then
    ln -sf "$program" "$command"
    return
  fi
  # A link that an earlier package made itself.
  if [ -L "$command" ] && [ "$(readlink "$command")" = "$program" ]; then rm -f "$command"; fi
  update-alternatives --install "$command" '${executable}' "$program" 100 || ln -sf "$program" "$command"
}

# Ubuntu from 24.04 on gives user namespaces only to programs with a profile that names them. An
# AppArmor that is too old for the profile has no such rule, and needs none.
load_profile() {
  apparmor_status --enabled >/dev/null 2>&1 || return 1
  apparmor_parser --skip-kernel-load --debug "$profile_source" >/dev/null 2>&1 || return 1
  cp -f "$profile_source" "$profile" || return 1
  # In a chroot, as of an image that is being made, the system that runs is another one.
  if hash ischroot 2>/dev/null && ischroot; then return 1; fi
  apparmor_parser --replace --write-cache --skip-read-cache "$profile"
}

# Whether an ordinary user may make a user namespace and be root in it, as Chromium's sandbox does.
# Root always may, so it is tried as nobody.
user_has_namespaces() {
  setpriv --reuid=65534 --regid=65534 --clear-groups \
    unshare --user --map-root-user true >/dev/null 2>&1
}

# The helper is root's with the user's rights only where it is needed. Where the profile was loaded,
# the program has its namespaces, and what nobody may do with another program does not count.
set_up_sandbox() {
  if [ "$has_profile" = yes ] || user_has_namespaces; then
    chmod 0755 "$helper"
    return
  fi
  chown root:root "$helper" && chmod 4755 "$helper" && return
  echo "Appraiser Desk cannot start: this system gives ordinary users no user namespaces, and $helper could not be given mode 4755. Give it that mode as root, or allow user namespaces." >&2
}

link_command
has_profile=no
if load_profile; then has_profile=yes; fi
set_up_sandbox
if hash update-mime-database 2>/dev/null; then update-mime-database /usr/share/mime || true; fi
if hash update-desktop-database 2>/dev/null; then
  update-desktop-database /usr/share/applications || true
fi
# What is missing here was said; a failure would leave the package half installed.
exit 0
