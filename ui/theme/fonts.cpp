// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/fonts.h"

#include <QDirIterator>
#include <QFile>
#include <QFontDatabase>
#include <QtEndian>

using namespace Qt::StringLiterals;

// A static library's resources must be asked for by name, outside any namespace.
static void initFontResources()
{
    Q_INIT_RESOURCE(idemdesk_fonts);
}

namespace idemdesk::ui {

namespace {

constexpr qsizetype kHeaderBytes = 12; // of the font, before its list of tables
constexpr qsizetype kTableBytes = 16; // of one table in that list: tag, checksum, place, length
constexpr qsizetype kFeatureBytes = 6; // of one feature: tag and place

template <typename T> T numberAt(const QByteArray &bytes, qsizetype place)
{
    return place >= 0 && place + qsizetype(sizeof(T)) <= bytes.size() ? qFromBigEndian<T>(bytes.constData() + place)
                                                                      : T {};
}

/// A table's place in the font; without bytes where there is none.
struct Table {
    qsizetype at = 0;
    qsizetype bytes = 0;
};

Table tableOf(const QByteArray &font, const QByteArray &tag)
{
    const auto tables = numberAt<quint16>(font, 4);
    for (int number = 0; number < tables; ++number) {
        const qsizetype entry = kHeaderBytes + number * kTableBytes;
        if (font.mid(entry, 4) == tag) {
            const Table table { qsizetype(numberAt<quint32>(font, entry + 8)),
                qsizetype(numberAt<quint32>(font, entry + 12)) };
            return table.at + table.bytes <= font.size() ? table : Table {};
        }
    }
    return {};
}

QByteArray utf16(const char *ascii)
{
    QByteArray result;
    for (; *ascii != '\0'; ++ascii) {
        result.append('\0').append(*ascii);
    }
    return result;
}

/// Under a name of its own: where Inter is installed as well, the system's one would be taken, without such figures.
void rename(QByteArray &font)
{
    const Table names = tableOf(font, "name");
    const QByteArray from = utf16("Inter");
    const QByteArray to = utf16("Idesk");
    for (qsizetype at = font.indexOf(from, names.at); at >= 0 && at < names.at + names.bytes;
         at = font.indexOf(from, at + from.size())) {
        font.replace(at, from.size(), to);
    }
}

} // namespace

QByteArray withTabularFigures(const QByteArray &font)
{
    const Table substitutions = tableOf(font, "GSUB");
    const qsizetype features = substitutions.at + numberAt<quint16>(font, substitutions.at + 6);
    const int count = substitutions.bytes > 0 ? numberAt<quint16>(font, features) : 0;
    QByteArray result = font;
    for (int number = 0; number < count; ++number) {
        const qsizetype entry = features + 2 + number * kFeatureBytes;
        if (font.mid(entry, 4) == "tnum") {
            result.replace(entry, 4, "rclt"); // always applied, and used by none of these fonts
        }
    }
    if (result != font) {
        rename(result);
    }
    return result;
}

void loadFonts()
{
    static const bool once = [] {
        initFontResources();
        QDirIterator files(u":/idemdesk/fonts"_s);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly)) {
                QFontDatabase::addApplicationFontFromData(withTabularFigures(file.readAll()));
            }
        }
        return true;
    }();
    Q_UNUSED(once)
}

QString textFamily()
{
    return u"Idesk"_s;
}

QString fixedFamily()
{
    return u"JetBrains Mono"_s;
}

} // namespace idemdesk::ui
