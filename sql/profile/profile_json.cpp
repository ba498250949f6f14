// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/profile_json.h"

#include "sql/profile/profile_codec.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

// At global scope, as Qt asks: it names the static library's resource so that the linker keeps it.
static void keepProfileResources()
{
    Q_INIT_RESOURCE(idemdesk_profiles);
}

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

Result<Profile> profileFromJson(const QByteArray &json, const QString &fileName)
{
    TRY(const auto tree, parseJson(json, fileName));
    Profile profile;
    ProfileReading reading;
    profileCodec().read(reading, tree, &profile);
    if (!reading.fault()) {
        return profile;
    }
    Error error;
    error.kind = ErrorKind::Usage;
    error.what = QCoreApplication::translate("idemdesk::sql", "The profile cannot be used.");
    error.why = QCoreApplication::translate("idemdesk::sql", "There stood %1; expected %2.")
                    .arg(reading.fault()->found, reading.fault()->expected);
    error.todo = QCoreApplication::translate("idemdesk::sql", "Correct the file and load it again.");
    error.where = fileName + u": "_s + reading.fault()->path;
    return error;
}

QByteArray profileToJson(const Profile &profile)
{
    return writeJson(profileCodec().write(profile), 2) + '\n';
}

Result<Profile> profileFromFile(const QString &path)
{
    // A profile is a few kilobytes; a person who picked the wrong file shall not wait for it.
    constexpr qint64 kMostBytes = 4 * 1024 * 1024;
    const QString name = QFileInfo(path).fileName();
    QFile file(path);
    Error error;
    error.kind = ErrorKind::File;
    error.what = QCoreApplication::translate("idemdesk::sql", "The profile %1 could not be read.").arg(name);
    error.where = path;
    if (!file.open(QIODevice::ReadOnly)) {
        error.why = file.errorString();
        error.todo = QCoreApplication::translate("idemdesk::sql", "Check the path and its rights.");
        return error;
    }
    const QByteArray json = file.read(kMostBytes + 1);
    if (file.error() != QFileDevice::NoError) {
        error.why = file.errorString();
        return error;
    }
    if (json.size() > kMostBytes) {
        error.why = QCoreApplication::translate("idemdesk::sql", "It is larger than 4 MiB.");
        error.todo = QCoreApplication::translate("idemdesk::sql", "Pick a profile file.");
        return error;
    }
    return profileFromJson(json, name);
}

namespace {

constexpr auto kShipped = ":/idemdesk/profiles"_L1;
constexpr auto kPresets = ":/idemdesk/presets"_L1;

/// Each is named after the profile that it holds.
QStringList filesIn(const QDir &folder)
{
    keepProfileResources();
    QStringList names = folder.entryList({ u"*.json"_s }, QDir::Files, QDir::Name);
    names.removeAll(u"profile.schema.json"_s);
    return names;
}

/// A mistake in our own files ends the program: the tests load each of them.
Profile compiledProfile(const QDir &folder, const QString &fileName)
{
    QFile file(folder.filePath(fileName));
    const bool opened = file.open(QIODevice::ReadOnly);
    auto profile = profileFromJson(opened ? file.readAll() : QByteArray(), fileName);
    if (!profile) {
        qFatal("%s %s", qPrintable(profile.error().where), qPrintable(profile.error().line()));
    }
    return *std::move(profile);
}

QList<Profile> compiledProfiles(const QDir &folder)
{
    QList<Profile> loaded;
    const QStringList names = filesIn(folder);
    for (const QString &name : names) {
        loaded.append(compiledProfile(folder, name));
    }
    std::sort(loaded.begin(), loaded.end(), [](const Profile &a, const Profile &b) { return a.name < b.name; });
    return loaded;
}

} // namespace

const QList<Profile> &shippedProfiles()
{
    static const QList<Profile> profiles = compiledProfiles(QDir(kShipped));
    return profiles;
}

const QList<Profile> &presetProfiles()
{
    static const QList<Profile> profiles = compiledProfiles(QDir(kPresets));
    return profiles;
}

const QList<Profile> &offeredProfiles()
{
    static const QList<Profile> profiles = shippedProfiles() + presetProfiles();
    return profiles;
}

std::optional<Profile> shippedProfile(const QString &name)
{
    // Its file alone: each run of a program looks for one or two.
    for (const auto path : { kShipped, kPresets }) {
        const QDir folder(path);
        const QString fileName = name + u".json"_s;
        if (filesIn(folder).contains(fileName)) {
            return compiledProfile(folder, fileName);
        }
    }
    return std::nullopt;
}

} // namespace idemdesk::sql
