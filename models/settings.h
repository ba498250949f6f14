// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"

#include <QByteArray>
#include <QObject>
#include <QStringList>
#include <optional>

class QSettings;

namespace idemdesk::models {

struct StatementMap;

enum class Theme { System, Light, Dark, ContrastLight, ContrastDark };

/// A filter and order the person gave a name.
struct SavedView {
    QString name;
    QString target; ///< profile's name
    QString filter;
    QString order;
    friend bool operator==(const SavedView &, const SavedView &) = default;
};

/// Where a person was: a page with its table; on the page of keys with filter and order, too.
struct SavedPlace {
    QString page; ///< by its id; empty: nowhere yet
    QString target; ///< profile's name
    QString filter;
    QString order;
    friend bool operator==(const SavedPlace &, const SavedPlace &) = default;
};

/// An alert that a person has taken note of, and how bad it was then.
struct SavedAcknowledgement {
    QString target; ///< profile's name
    QString rule; ///< by its id
    QString by; ///< login
    QString at; ///< ISO 8601, UTC
    QString note;
    QString state; ///< of the alert: "firing"
    int grade = 0; ///< how often its value was double the limit
    friend bool operator==(const SavedAcknowledgement &, const SavedAcknowledgement &) = default;
};

/// What the console remembers between starts, typed. Never a password, never a query's result. Values of a newer
/// version are left alone and read as defaults. Lives on the GUI thread.
class Settings final : public QObject
{
    Q_OBJECT

public:
    static constexpr int kVersion = 1;
    static constexpr int kMaxHistory = 50;

    /// settings: outlives this object.
    explicit Settings(QSettings *settings, QObject *parent = nullptr);

    Theme theme() const;
    void setTheme(Theme theme);
    TimeDisplay timeDisplay() const;
    void setTimeDisplay(TimeDisplay display);
    int autoRefresh() const; ///< seconds: 0, 2, 5, 15 or 60
    void setAutoRefresh(int seconds);
    bool compactRows() const;
    void setCompactRows(bool compact);

    static constexpr int kLeastZoom = 80; ///< percent
    static constexpr int kMostZoom = 200;
    int textZoom() const; ///< percent of the desktop's own size
    void setTextZoom(int percent); ///< within those limits

    /// The keys that the person gave a command, as QKeySequence writes them. Empty: none; nothing: the usual ones.
    std::optional<QString> shortcut(const QString &command) const;
    void setShortcut(const QString &command, const std::optional<QString> &keys);
    void resetShortcuts();

    /// By the title of the connection, as tables of one name differ from server to server.
    SavedPlace lastPlace(const QString &connection) const;
    void setLastPlace(const QString &connection, const SavedPlace &place);

    /// By the title of the connection.
    QList<SavedAcknowledgement> acknowledgements(const QString &connection) const;
    void setAcknowledgements(const QString &connection, const QList<SavedAcknowledgement> &all);

    QString cacheAddress(const QString &connection) const; ///< of the Redis in front of its tables; without a password
    void setCacheAddress(const QString &connection, const QString &url);
    /// How the statements of a provider were last read; empty where none is remembered. idemdeskctl shares it.
    StatementMap statementMap(const QString &provider) const;
    void setStatementMap(const QString &provider, const StatementMap &map);
    bool cacheSampled(const QString &connection) const; ///< a sample of it is wanted each minute; false at first
    void setCacheSampled(const QString &connection, bool sampled);

    /// Opaque states by id: "window/geometry", "keys/columns/plpgsql-request".
    QByteArray layout(const QString &id) const;
    void setLayout(const QString &id, const QByteArray &state);
    void resetLayouts();

    QStringList logFields() const; ///< "NAME=POINTER", where services' logs have what; empty: the usual places
    void setLogFields(const QStringList &places);

    QStringList filterHistory(const QString &target) const; ///< newest first
    void addToFilterHistory(const QString &target, const QString &filter);
    QList<SavedView> savedViews(const QString &target) const;
    void saveView(const SavedView &view); ///< replaces the one of its name
    void removeView(const QString &target, const QString &name);

signals:
    void themeChanged();
    void timeDisplayChanged();
    void autoRefreshChanged();
    void compactRowsChanged();
    void textZoomChanged();
    void shortcutsChanged();
    void savedViewsChanged(const QString &target);

private:
    bool usable() const;

    QSettings *m_settings;
};

} // namespace idemdesk::models
