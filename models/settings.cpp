// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/settings.h"

#include "models/provider/statement_memory.h"
#include "sql/types/enum_table.h"

#include <QSettings>
#include <QUrl>
#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

template <typename Enum> using Names = sql::EnumNames<sql::EnumName<Enum>>;

constexpr Names<Theme> kThemes { { { Theme::System, u"system" }, { Theme::Light, u"light" }, { Theme::Dark, u"dark" },
    { Theme::ContrastLight, u"contrast-light" }, { Theme::ContrastDark, u"contrast-dark" } } };
constexpr Names<TimeDisplay> kTimes { { { TimeDisplay::Server, u"server" }, { TimeDisplay::Local, u"local" },
    { TimeDisplay::Utc, u"utc" } } };
constexpr qsizetype kAcknowledgementTexts = 7;
constexpr std::array kIntervals { 0, 2, 5, 15, 60 };

/// Names from profiles may hold slashes, which QSettings takes for groups.
QString part(const QString &text)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(text));
}

QString viewsKey(const QString &target)
{
    return u"views/"_s + part(target);
}

} // namespace

Settings::Settings(QSettings *settings, QObject *parent)
    : QObject(parent)
    , m_settings(settings)
{
    if (!m_settings->contains(u"version"_s)) {
        m_settings->setValue(u"version"_s, kVersion);
    }
}

/// Written by a newer version: read as defaults, and left as they are.
bool Settings::usable() const
{
    bool ok = false;
    const int version = m_settings->value(u"version"_s, kVersion).toInt(&ok);
    return ok && version <= kVersion;
}

Theme Settings::theme() const
{
    return usable() ? kThemes.find(m_settings->value(u"appearance/theme"_s).toString()).value_or(Theme::System)
                    : Theme::System;
}

void Settings::setTheme(Theme theme)
{
    if (usable() && theme != this->theme()) {
        m_settings->setValue(u"appearance/theme"_s, kThemes.nameOf(theme));
        emit themeChanged();
    }
}

TimeDisplay Settings::timeDisplay() const
{
    return usable() ? kTimes.find(m_settings->value(u"appearance/times"_s).toString()).value_or(TimeDisplay::Server)
                    : TimeDisplay::Server;
}

void Settings::setTimeDisplay(TimeDisplay display)
{
    if (usable() && display != timeDisplay()) {
        m_settings->setValue(u"appearance/times"_s, kTimes.nameOf(display));
        emit timeDisplayChanged();
    }
}

int Settings::autoRefresh() const
{
    const int seconds = usable() ? m_settings->value(u"keys/autoRefresh"_s, 0).toInt() : 0;
    return std::find(kIntervals.begin(), kIntervals.end(), seconds) == kIntervals.end() ? 0 : seconds;
}

void Settings::setAutoRefresh(int seconds)
{
    if (usable() && seconds != autoRefresh()
        && std::find(kIntervals.begin(), kIntervals.end(), seconds) != kIntervals.end()) {
        m_settings->setValue(u"keys/autoRefresh"_s, seconds);
        emit autoRefreshChanged();
    }
}

bool Settings::compactRows() const
{
    return usable() && m_settings->value(u"appearance/compact"_s, false).toBool();
}

void Settings::setCompactRows(bool compact)
{
    if (usable() && compact != compactRows()) {
        m_settings->setValue(u"appearance/compact"_s, compact);
        emit compactRowsChanged();
    }
}

int Settings::textZoom() const
{
    bool ok = false;
    const int percent = usable() ? m_settings->value(u"appearance/zoom"_s, 100).toInt(&ok) : 100;
    return ok ? std::clamp(percent, kLeastZoom, kMostZoom) : 100;
}

void Settings::setTextZoom(int percent)
{
    const int wanted = std::clamp(percent, kLeastZoom, kMostZoom);
    if (usable() && wanted != textZoom()) {
        m_settings->setValue(u"appearance/zoom"_s, wanted);
        emit textZoomChanged();
    }
}

std::optional<QString> Settings::shortcut(const QString &command) const
{
    const QVariant keys = usable() ? m_settings->value(u"shortcuts/"_s + part(command)) : QVariant();
    return keys.isValid() ? std::optional(keys.toString()) : std::nullopt;
}

void Settings::setShortcut(const QString &command, const std::optional<QString> &keys)
{
    if (usable() && keys != shortcut(command)) {
        keys ? m_settings->setValue(u"shortcuts/"_s + part(command), *keys)
             : m_settings->remove(u"shortcuts/"_s + part(command));
        emit shortcutsChanged();
    }
}

void Settings::resetShortcuts()
{
    if (usable()) {
        m_settings->remove(u"shortcuts"_s);
        emit shortcutsChanged();
    }
}

SavedPlace Settings::lastPlace(const QString &connection) const
{
    const QStringList texts
        = usable() ? m_settings->value(u"places/"_s + part(connection)).toStringList() : QStringList();
    return texts.size() == 4 ? SavedPlace { texts.at(0), texts.at(1), texts.at(2), texts.at(3) } : SavedPlace();
}

void Settings::setLastPlace(const QString &connection, const SavedPlace &place)
{
    if (usable() && !connection.isEmpty() && place != lastPlace(connection)) {
        m_settings->setValue(
            u"places/"_s + part(connection), QStringList { place.page, place.target, place.filter, place.order });
    }
}

QString Settings::cacheAddress(const QString &connection) const
{
    return usable() ? m_settings->value(u"caches/"_s + part(connection)).toString() : QString();
}

void Settings::setCacheAddress(const QString &connection, const QString &url)
{
    if (usable() && !connection.isEmpty() && url != cacheAddress(connection)) {
        m_settings->setValue(u"caches/"_s + part(connection), url);
    }
}

StatementMap Settings::statementMap(const QString &provider) const
{
    return usable() && !provider.isEmpty() ? rememberedMap(*m_settings, provider) : StatementMap();
}

void Settings::setStatementMap(const QString &provider, const StatementMap &map)
{
    if (usable() && !provider.isEmpty()) {
        rememberMap(m_settings, provider, map); // the status line tells of settings that cannot be kept
    }
}

bool Settings::cacheSampled(const QString &connection) const
{
    return usable() && m_settings->value(u"caches-sampled/"_s + part(connection)).toBool();
}

void Settings::setCacheSampled(const QString &connection, bool sampled)
{
    if (usable() && !connection.isEmpty() && sampled != cacheSampled(connection)) {
        m_settings->setValue(u"caches-sampled/"_s + part(connection), sampled);
    }
}

QList<SavedAcknowledgement> Settings::acknowledgements(const QString &connection) const
{
    QList<SavedAcknowledgement> all;
    const QStringList texts
        = usable() ? m_settings->value(u"acknowledged/"_s + part(connection)).toStringList() : QStringList();
    for (qsizetype i = 0; i + kAcknowledgementTexts <= texts.size(); i += kAcknowledgementTexts) {
        all.append({ texts.at(i), texts.at(i + 1), texts.at(i + 2), texts.at(i + 3), texts.at(i + 4), texts.at(i + 5),
            texts.at(i + 6).toInt() });
    }
    return all;
}

void Settings::setAcknowledgements(const QString &connection, const QList<SavedAcknowledgement> &all)
{
    if (!usable() || connection.isEmpty() || all == acknowledgements(connection)) {
        return;
    }
    QStringList texts;
    for (const SavedAcknowledgement &one : all) {
        texts << one.target << one.rule << one.by << one.at << one.note << one.state << QString::number(one.grade);
    }
    const QString key = u"acknowledged/"_s + part(connection);
    all.isEmpty() ? m_settings->remove(key) : m_settings->setValue(key, texts);
}

QByteArray Settings::layout(const QString &id) const
{
    return usable() ? m_settings->value(u"layout/"_s + part(id)).toByteArray() : QByteArray();
}

void Settings::setLayout(const QString &id, const QByteArray &state)
{
    if (usable()) {
        m_settings->setValue(u"layout/"_s + part(id), state);
    }
}

void Settings::resetLayouts()
{
    if (usable()) {
        m_settings->remove(u"layout"_s);
    }
}

QStringList Settings::logFields() const
{
    return usable() ? m_settings->value(u"logs/fields"_s).toStringList() : QStringList();
}

void Settings::setLogFields(const QStringList &places)
{
    if (usable()) {
        m_settings->setValue(u"logs/fields"_s, places);
    }
}

QStringList Settings::filterHistory(const QString &target) const
{
    return usable() ? m_settings->value(u"history/"_s + part(target)).toStringList().mid(0, kMaxHistory)
                    : QStringList();
}

void Settings::addToFilterHistory(const QString &target, const QString &filter)
{
    const QString text = filter.trimmed();
    if (text.isEmpty() || !usable()) {
        return;
    }
    QStringList history = filterHistory(target);
    history.removeAll(text);
    history.prepend(text);
    m_settings->setValue(u"history/"_s + part(target), history.mid(0, kMaxHistory));
}

QList<SavedView> Settings::savedViews(const QString &target) const
{
    QList<SavedView> views;
    if (!usable()) {
        return views;
    }
    // Three texts a view in one list: an array of QSettings would leave the rest of an older, longer one behind.
    const QStringList texts = m_settings->value(viewsKey(target)).toStringList();
    for (qsizetype i = 0; i + 2 < texts.size(); i += 3) {
        views.append({ texts.at(i), target, texts.at(i + 1), texts.at(i + 2) });
    }
    return views;
}

void Settings::saveView(const SavedView &view)
{
    if (!usable() || view.name.trimmed().isEmpty()) {
        return;
    }
    QList<SavedView> views = savedViews(view.target);
    const auto known
        = std::find_if(views.begin(), views.end(), [&view](const SavedView &other) { return other.name == view.name; });
    if (known == views.end()) {
        views.append(view);
    } else {
        *known = view;
    }
    QStringList texts;
    for (const SavedView &each : std::as_const(views)) {
        texts << each.name << each.filter << each.order;
    }
    m_settings->setValue(viewsKey(view.target), texts);
    emit savedViewsChanged(view.target);
}

void Settings::removeView(const QString &target, const QString &name)
{
    if (!usable()) {
        return;
    }
    QStringList texts;
    for (const SavedView &view : savedViews(target)) {
        if (view.name != name) {
            texts << view.name << view.filter << view.order;
        }
    }
    texts.isEmpty() ? m_settings->remove(viewsKey(target)) : m_settings->setValue(viewsKey(target), texts);
    emit savedViewsChanged(target);
}

} // namespace idemdesk::models

#include "moc_settings.cpp"
