// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"

#include <QByteArray>
#include <QObject>
#include <QStringList>

class QSettings;

namespace idemdesk::models {

enum class Theme { System, Light, Dark, ContrastLight, ContrastDark };

/// A filter and order the person gave a name.
struct SavedView {
    QString name;
    QString target; ///< profile's name
    QString filter;
    QString order;
    friend bool operator==(const SavedView &, const SavedView &) = default;
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
    void savedViewsChanged(const QString &target);

private:
    bool usable() const;

    QSettings *m_settings;
};

} // namespace idemdesk::models
